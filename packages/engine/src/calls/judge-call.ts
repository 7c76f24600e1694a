import { type ConversationRule, type Overview, permissionModeOf, type Scheduled } from '@holdfast/conversation'
import {
  type CallSubject,
  decidePermission,
  decideUnattended,
  type PermissionCase,
  type PermissionDecision,
  type PermissionRule,
  type Tool,
} from '@holdfast/tool'
import type { EnginePorts } from '../api/ports.ts'
import { workspaceIn } from '../chosen/conversation-tools.ts'
import { settingsOfLog } from '../chosen/settings-in-force.ts'

/** What a call is judged by, beside itself. */
export interface Judging {
  readonly ports: EnginePorts
  readonly state: Overview
  readonly tools: ReadonlyMap<string, Tool>
  readonly alwaysRules: readonly PermissionRule[]
  readonly unattended: boolean
  /** What a schedule gives its run beside that; null for none. [SCHED14] */
  readonly schedule: Scheduled | null
}

/** Decides about a call by everything that holds at this moment. [PERM1, PERM8] */
export function judgeCall(
  judging: Judging,
  call: CallSubject,
  recentCalls: readonly CallSubject[],
): PermissionDecision {
  const decide = judging.unattended ? decideUnattended : decidePermission
  return decide(questionAbout(judging, call, recentCalls))
}

/** All that a decision about a call depends on. */
export function questionAbout(
  { ports, state, tools, alwaysRules, schedule }: Omit<Judging, 'unattended'>,
  call: CallSubject,
  recentCalls: readonly CallSubject[],
): PermissionCase {
  const { permissions } = ports
  return {
    call,
    definition: tools.get(call.name)?.definition,
    mode: schedule?.unattended === 'full' ? 'bypass' : permissionModeOf(state.settings, permissions),
    rules: [
      ...permissions.rules,
      ...alwaysRules,
      ...state.permissionRules.map(toRule),
      ...(schedule?.unattended === 'allow-list' ? schedule.rules : []),
    ],
    hardDenials: permissions.hardDenials,
    defaultPolicy: permissions.defaultPolicy,
    workspaceRoot: workspaceIn(ports, state),
    recentCalls,
    identicalCallLimit: settingsOfLog(ports, state.settings).identicalCalls,
    untrustedContent: state.strangersAt !== null,
    ...(state.strangersAt === null ? {} : { strangersAt: state.strangersAt }),
    ...(state.strangersFrom === null ? {} : { strangersFrom: state.strangersFrom }),
  }
}

function toRule({ ruleId, ...rule }: ConversationRule): PermissionRule {
  return { id: ruleId, ...rule }
}
