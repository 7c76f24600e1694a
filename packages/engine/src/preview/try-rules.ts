import { doInParts } from '@holdfast/conversation'
import { suggestRules, tryRule, type WrittenRule } from '@holdfast/tool'
import type { HistoryRange, RuleReport, Suggestions } from '../api/permission-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { checkedRule, dismissedRules } from '../commands/change-rules.ts'
import { readHistory } from './permission-history.ts'

/** Names a rule that is tried and holds nowhere. */
const TRIED = 'tried'

/** Rules that the answers of a person suggest, without those that they did not want. */
export async function suggestedRules(ports: EnginePorts, asked: HistoryRange): Promise<Suggestions> {
  const { extent, ...history } = await readHistory(ports, asked)
  const dismissed = await dismissedRules(ports, asked.ownerId)
  return { suggestions: await doInParts(suggestRules({ ...history, dismissed }), ports.clock), extent }
}

/** What a rule would have done to past calls. @throws {UnknownConversationError | RefusedCommandError} */
export async function triedRule(
  ports: EnginePorts,
  { rule: written, ...asked }: HistoryRange & { readonly rule: WrittenRule },
): Promise<RuleReport> {
  const { pastCalls, tools, extent } = await readHistory(ports, asked)
  const rule = checkedRule(written, tools)
  const trial = await doInParts(tryRule(pastCalls, { ...rule, id: TRIED }), ports.clock)
  return { rule, isKnownTool: rule.tool === '*' || tools.has(rule.tool), trial, extent }
}
