import { allRecords, type ConversationRule, type NewEntry, RevisionConflictError } from '@holdfast/conversation'
import {
  canonicalJson,
  type DismissedRule,
  type KeptRule,
  readRule,
  type SuggestedRule,
  type Tool,
  type WrittenRule,
} from '@holdfast/tool'
import * as z from 'zod'
import type { AddRule, AlwaysRuleAdded } from '../api/permission-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { ruleRefused } from '../api/refused-command-error.ts'
import { rejudge } from '../calls/rejudge.ts'
import { ALWAYS_RULE, alwaysRulesOf } from '../chosen/always-rules.ts'
import { toolsByName } from '../chosen/conversation-tools.ts'
import { conversationsOf } from '../chosen/conversations-of.ts'
import { ownerOf } from '../chosen/owner.ts'
import type { LiveLog } from '../log/live-log.ts'
import { type CarryOutCommand, carryOutPrepared } from './carry-out.ts'

/** A suggestion that a person did not want; its last change says when. */
const DISMISSED = {
  kind: 'dismissed-suggestion',
  schema: z.object({ effect: z.enum(['allow', 'deny']), tool: z.string(), pattern: z.string().exactOptional() }),
} as const

/** What the rules for calls work with. */
export interface RuleCommandsDeps {
  readonly ports: EnginePorts
  readonly command: CarryOutCommand
}

/** A rule as it can hold. @throws {RefusedCommandError} */
export function checkedRule(written: WrittenRule, tools: ReadonlyMap<string, Tool>): KeptRule {
  const read = readRule(written, tools.get(written.tool)?.definition)
  if (read.type === 'refused') throw ruleRefused(written.tool, read.reason)
  return read.rule
}

/** Adds a rule of one conversation, and judges its open requests by it. [PERM5, PERM8] */
export async function addRule(
  ports: EnginePorts,
  log: LiveLog,
  command: AddRule,
): Promise<{ readonly ruleId: string }> {
  const { actor, commandId, rule: asked } = command
  const ruleId = ports.ids.next('rule')
  let held: KeptRule | null = null
  const { entries } = await carryOutPrepared(ports, log, { command, asked: ['add-rule', asked] }, async () => {
    const kept = checkedRule(asked, toolsByName(ports, log.conversationId, log.overview()))
    held = kept
    const alwaysRules = await alwaysRulesOf(ports.records, await ownerOf(log))
    return (state): NewEntry[] => {
      if (sameRule(state.permissionRules, kept)) return []
      const rule = { ...kept, ruleId, givenAt: ports.clock.now() }
      const wider = { ...state, permissionRules: [...state.permissionRules, rule] }
      return [
        { type: 'permission-rule-changed', actor, commandId, ruleId, rule: kept },
        ...rejudge({ ports, log, state: wider, alwaysRules, command }, null),
      ]
    }
  })
  const added = entries.find((entry) => entry.type === 'permission-rule-changed')
  const same = held === null ? undefined : sameRule(log.overview().permissionRules, held)
  return { ruleId: added?.ruleId ?? same?.ruleId ?? ruleId }
}

/** Judges the open requests of all conversations of a person by the rules that hold now. [PERM8] */
export async function judgeOpenRequests(
  { ports, command }: RuleCommandsDeps,
  { ownerId, ruleId }: { readonly ownerId: string; readonly ruleId: string },
): Promise<void> {
  const asked = { actor: { type: 'person' as const, userId: ownerId }, commandId: ruleId }
  const alwaysRules = await alwaysRulesOf(ports.records, ownerId)
  for await (const { conversationId, permissionCount } of conversationsOf(ports.store, ownerId)) {
    if (permissionCount === 0) continue
    await command({ conversationId }, async ({ log }) => {
      await log.refresh()
      await log.append({ epoch: null, command: null, dropDraft: null }, (state) =>
        state.head === 0 ? [] : rejudge({ ports, log, state, alwaysRules, command: asked }, null),
      )
    })
  }
}

/** Adds a rule for all conversations of a person. The same rule twice is one. [PERM5] */
export async function addAlwaysRule(
  { records, clock, sha256 }: EnginePorts,
  { ownerId, rule }: { readonly ownerId: string; readonly rule: KeptRule },
): Promise<AlwaysRuleAdded> {
  if (records === null) throw ruleRefused(rule.tool, 'No rules for all conversations are kept here.')
  const same = (await alwaysRulesOf(records, ownerId)).find((one) => keyOf(one) === keyOf(rule))
  if (same) return { ruleId: same.id, isNew: false }
  const id = `rule_${sha256(keyOf(rule)).slice(0, 24)}`
  try {
    await records.put(ALWAYS_RULE, { ownerId, id, revision: 0, value: { ...rule, isGeneral: true }, at: clock.now() })
  } catch (error) {
    if (error instanceof RevisionConflictError) return { ruleId: id, isNew: false }
    throw error
  }
  return { ruleId: id, isNew: true }
}

/** Keeps that a person does not want a suggestion. */
export async function dismissSuggestion(
  { records, clock, sha256 }: EnginePorts,
  { ownerId, rule }: { readonly ownerId: string; readonly rule: SuggestedRule },
): Promise<void> {
  if (records === null) throw ruleRefused(rule.tool, 'Nothing is kept here of suggestions.')
  const id = `dismissed_${sha256(keyOf(rule)).slice(0, 24)}`
  const revision = (await records.get(DISMISSED, { ownerId, id }))?.revision ?? 0
  await records.put(DISMISSED, { ownerId, id, revision, value: rule, at: clock.now() })
}

/** The suggestions that a person did not want. */
export async function dismissedRules({ records }: EnginePorts, ownerId: string): Promise<readonly DismissedRule[]> {
  if (records === null) return []
  const found = await allRecords(records, DISMISSED, ownerId)
  return found.map(({ value, updatedAt }) => ({ rule: value, at: updatedAt }))
}

function sameRule(rules: readonly ConversationRule[], written: WrittenRule): ConversationRule | undefined {
  return rules.find((rule) => keyOf(rule) === keyOf(written))
}

function keyOf({ effect, tool, pattern, category, annotations }: WrittenRule): string {
  const asked = category === undefined && annotations === undefined ? [] : [category ?? null, { ...annotations }]
  return canonicalJson([effect, tool, pattern ?? null, ...asked])
}
