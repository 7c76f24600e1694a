import { suggestRules, tryRule } from '@holdfast/tool'
import type { PermissionEngine } from '../api/permission-engine.ts'
import {
  addAlwaysRule,
  addRule,
  checkedRule,
  dismissedRules,
  dismissSuggestion,
  judgeOpenRequests,
  type PermissionEngineDeps,
} from '../commands/change-rules.ts'
import { doInParts } from './do-in-parts.ts'
import { readHistory, toolsFor } from './permission-history.ts'

/** Names a rule that is tried and holds nowhere. */
const TRIED = 'tried'

/** Makes the part of the engine that works on rules for calls. */
export function createPermissionEngine(deps: PermissionEngineDeps): PermissionEngine {
  const { ports, command } = deps
  return {
    async suggestRules(asked) {
      const { extent, ...history } = await readHistory(ports, asked)
      const dismissed = await dismissedRules(ports, asked.ownerId)
      return { suggestions: await doInParts(suggestRules({ ...history, dismissed }), ports.clock), extent }
    },
    async tryRule({ rule: written, ...asked }) {
      const { pastCalls, tools, extent } = await readHistory(ports, asked)
      const rule = checkedRule(written, tools)
      const trial = await doInParts(tryRule(pastCalls, { ...rule, id: TRIED }), ports.clock)
      return { rule, isKnownTool: rule.tool === '*' || tools.has(rule.tool), trial, extent }
    },
    dismissSuggestion: (asked) => dismissSuggestion(ports, asked),
    addRule: (asked) => command(asked, ({ log }) => addRule(ports, log, asked)),
    async addAlwaysRule(asked) {
      const tools = await toolsFor(ports, { ownerId: asked.ownerId, conversationId: null })
      const added = await addAlwaysRule(ports, { ...asked, rule: checkedRule(asked.rule, tools) })
      await judgeOpenRequests(deps, { ownerId: asked.ownerId, ruleId: added.ruleId })
      return added
    },
  }
}
