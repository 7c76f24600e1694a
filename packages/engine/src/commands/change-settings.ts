import {
  type AgentInUse,
  type ConversationSettings,
  DEFAULT_AGENT,
  type Json,
  NewEntry,
  type Overview,
  settingLayers,
  settingsInForce,
  settingsNow,
} from '@holdfast/conversation'
import type { ChangeSettings, RevokeRule } from '../api/engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { SettingsContradictError, workspaceNotPermitted } from '../api/refused-command-error.ts'
import { rejudge } from '../calls/rejudge.ts'
import { alwaysRulesOf } from '../chosen/always-rules.ts'
import { checkModel } from '../chosen/check-model.ts'
import { modelOf } from '../chosen/chosen-model.ts'
import { workspaceIn } from '../chosen/conversation-tools.ts'
import { ownerOf } from '../chosen/owner.ts'
import type { LiveLog } from '../log/live-log.ts'
import { contradictionOf } from '../request/model-settings.ts'
import { agentToTake, isSameAgent, switchEntry } from './agents.ts'
import { carryOut, carryOutPrepared } from './carry-out.ts'

/**
 * Gives settings new values; null returns one to what the installation says. A mode holds from the next decision on,
 * and open requests are judged by it at once. [PERM8]
 */
export async function changeSettings(ports: EnginePorts, log: LiveLog, command: ChangeSettings): Promise<void> {
  const named = { command, asked: ['settings', command.changes] }
  await carryOutPrepared(ports, log, named, () => settingsChange(ports, log, command))
}

/**
 * Looks up what a change of settings depends on, and returns what writes it down.
 *
 * @throws {RefusedCommandError}
 */
export async function settingsChange(
  ports: EnginePorts,
  log: LiveLog,
  command: ChangeSettings,
): Promise<(state: Overview) => NewEntry[]> {
  const { actor, commandId } = command
  const changes = withWholePlace(command.changes)
  const { modelId } = changes
  if (typeof modelId === 'string') checkModel(ports, modelId)
  const ownerId = await ownerOf(log)
  checkPlace(ports, { ownerId, before: log.overview().settings, changes })
  const agent = await switchAsked(ports, { ownerId, changes })
  const alwaysRules = await alwaysRulesOf(ports.records, ownerId)
  return (state) => {
    const entries = settingEntries(state, { actor, commandId }, { changes, agent })
    const after = settingsAfter(state, entries)
    if (after) checkTogether(ports, { state, after, changed: Object.keys(changes) })
    return [
      ...entries,
      ...(after ? rejudge({ ports, log, state: { ...state, settings: after }, alwaysRules, command }, null) : []),
    ]
  }
}

/** @throws {RefusedCommandError} where a conversation would begin with settings that contradict each other. [WIN10] */
export function checkFirstSettings(
  ports: EnginePorts,
  beginning: { readonly state: Overview; readonly entries: readonly NewEntry[]; readonly chosen: ConversationSettings },
): void {
  const { state, entries, chosen } = beginning
  const after = settingsAfter(state, entries)
  if (after) checkTogether(ports, { state, after, changed: Object.keys(chosen) })
}

/** @throws {RefusedCommandError} for settings that contradict each other, or the model that answers. [WIN10] */
function checkTogether(
  ports: EnginePorts,
  asked: { readonly state: Overview; readonly after: ConversationSettings; readonly changed: readonly string[] },
): void {
  const model = modelOf(ports.models(), { ...asked.state, settings: asked.after })
  const facts = model.type === 'found' ? model.choice.facts : null
  const problems = contradictionOf(settingsNow(ports.settings), { own: asked.after, changed: asked.changed, facts })
  if (problems.length > 0) throw new SettingsContradictError(problems)
}

const PLACE_SETTINGS = ['workspaceId', 'worktreeId', 'workspace'] as const

/** What says where in a workspace a conversation works is not true of another one. [WS7] */
function withWholePlace(changes: ChangeSettings['changes']): ChangeSettings['changes'] {
  return 'workspaceId' in changes ? { worktreeId: null, workspace: null, ...changes } : changes
}

/** @throws {RefusedCommandError} where the folder that is chosen is not one that the owner may use. [WS7] */
export function checkPlace(
  ports: Pick<EnginePorts, 'workspaceOf' | 'permissions'>,
  {
    ownerId,
    before,
    changes,
  }: {
    readonly ownerId: string
    readonly before: ConversationSettings
    readonly changes: Readonly<Record<string, unknown>>
  },
): void {
  const named = PLACE_SETTINGS.filter((name) => typeof changes[name] === 'string')
  if (named.length === 0) return
  const place: Record<string, string> = {}
  for (const name of PLACE_SETTINGS) {
    const value = name in changes ? changes[name] : before[name]
    if (typeof value === 'string') place[name] = value
  }
  if (workspaceIn(ports, { ownerId, settings: place }) === null)
    throw workspaceNotPermitted(named.map((name) => String(changes[name])).join(', '))
}

/** Takes back a rule of the conversation. [PERM5] */
export async function revokeRule(ports: EnginePorts, log: LiveLog, command: RevokeRule): Promise<void> {
  const { actor, commandId, ruleId } = command
  await carryOut(ports, log, { command, asked: ['revoke', ruleId] }, (state): NewEntry[] =>
    state.permissionRules.some((rule) => rule.ruleId === ruleId)
      ? [{ type: 'permission-rule-changed', actor, commandId, ruleId, rule: null }]
      : [],
  )
}

/**
 * The agent that a change of settings asks for, as it is now; null for none.
 *
 * @throws {RefusedCommandError}
 */
export async function switchAsked(
  ports: EnginePorts,
  { ownerId, changes }: { readonly ownerId: string; readonly changes: Readonly<Record<string, Json>> },
): Promise<AgentInUse | null> {
  const { agentId } = changes
  if (agentId === undefined) return null
  return agentToTake(ports, { ownerId, agentId: typeof agentId === 'string' ? agentId : DEFAULT_AGENT.agentId })
}

/** A switch comes first, so that what is changed with it stands above what the agent says. [AGENT4] */
export function settingEntries(
  { settingLayers: { agent: current } }: Pick<Overview, 'settingLayers'>,
  by: Pick<ChangeSettings, 'actor' | 'commandId'>,
  { changes, agent }: { readonly changes: Readonly<Record<string, Json>>; readonly agent: AgentInUse | null },
): NewEntry[] {
  const { agentId: _, ...others } = changes
  const isOther = agent !== null && !isSameAgent(current, agent)
  const isBare = agent !== null && Object.keys(others).length === 0
  return [
    ...(isOther ? [switchEntry(agent, by)] : []),
    ...(isBare ? [] : [{ type: 'settings-changed' as const, ...by, changes: others }]),
  ]
}

/** The settings after entries; null for changes that the store is about to refuse. */
function settingsAfter({ settingLayers: before }: Overview, entries: readonly NewEntry[]): ConversationSettings | null {
  if (!entries.every((entry) => NewEntry.safeParse(entry).success)) return null
  const at = { conversationId: 'changed', seq: 1, at: 0, v: 1 }
  return settingsInForce(
    settingLayers.reduce(
      before,
      entries.map((entry) => ({ ...entry, ...at })),
    ),
  )
}
