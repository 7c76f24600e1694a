import type { NewEntry, Overview } from '@holdfast/conversation'
import type { PermissionRule } from '@holdfast/tool'
import type { CommandBase } from '../api/engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { toolsByName } from '../chosen/conversation-tools.ts'
import type { LiveLog } from '../log/live-log.ts'
import { judgeCall } from './judge-call.ts'
import { whyLeftOut } from './left-out.ts'

/** What the open requests of a conversation are judged by after a change. */
export interface Change {
  readonly ports: EnginePorts
  readonly log: LiveLog
  /** The state with the change in it. */
  readonly state: Overview
  readonly alwaysRules: readonly PermissionRule[]
  readonly command: CommandBase
}

/**
 * Judges open requests again: what is allowed or denied now is settled so, the others stay. A guard's question stays
 * a question: no mode and no wide rule answers it. A call whose tool is left out now is not asked about any more. [PERM8]
 *
 * @param except - a request that is being answered; null for none.
 */
export function rejudge({ ports, log, state, alwaysRules, command }: Change, except: string | null): NewEntry[] {
  const tools = toolsByName(ports, log.conversationId, state)
  const judging = { ports, state, tools, alwaysRules, unattended: false, schedule: null }
  const leftOut = whyLeftOut({ ports, conversationId: log.conversationId, state, tools })
  const { actor, commandId } = command
  return state.pendingPermissions.flatMap(({ requestId, tool: name, input, source }): NewEntry[] => {
    if (requestId === except) return []
    const why = leftOut(name)
    if (why !== null)
      return [{ type: 'permission-settled', actor, commandId, requestId, outcome: 'denied', by: 'mode', reason: why }]
    const decision = judgeCall(judging, { name, input }, [])
    if (decision.effect === 'ask' || (decision.effect === 'allow' && source === 'guard')) return []
    const outcome = decision.effect === 'allow' ? ('allowed' as const) : ('denied' as const)
    const by = decision.ruleIds.length > 0 ? ('rule' as const) : ('mode' as const)
    return [{ type: 'permission-settled', actor, commandId, requestId, outcome, by, reason: decision.reason }]
  })
}
