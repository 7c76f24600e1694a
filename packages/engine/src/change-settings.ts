import { ConversationSettings, type Json, type NewEntry, type Overview } from '@holdfast/conversation'
import { carryOut, checkModel } from './commands.ts'
import { type ChangeSettings, type RevokeRule, WorkspaceNotPermittedError } from './engine.ts'
import { alwaysRulesOf, workspaceIn } from './judge-call.ts'
import type { LiveLog } from './live-log.ts'
import type { EnginePorts } from './ports.ts'
import { rejudge } from './rejudge.ts'

/**
 * Gives settings new values; null returns one to what the installation says. A mode holds from the next decision on,
 * and open requests are judged by it at once. [PERM8]
 */
export async function changeSettings(ports: EnginePorts, log: LiveLog, command: ChangeSettings): Promise<void> {
  const decide = await settingsChange(ports, log, command)
  await carryOut(ports, log, { command, asked: ['settings', command.changes] }, decide)
}

/**
 * Looks up what a change of settings depends on, and returns what writes it down.
 *
 * @throws {UnknownModelError}
 */
export async function settingsChange(
  ports: EnginePorts,
  log: LiveLog,
  command: ChangeSettings,
): Promise<(state: Overview) => NewEntry[]> {
  const { actor, commandId, changes } = command
  const { modelId, workspace } = changes
  if (typeof modelId === 'string') checkModel(ports, modelId)
  if (typeof workspace === 'string' && workspaceIn(ports, { workspace }) === null)
    throw new WorkspaceNotPermittedError(workspace)
  const alwaysRules = await alwaysRulesOf(ports.records, log.overview().ownerId ?? '')
  return (state) => {
    const changed: NewEntry = { type: 'settings-changed', actor, commandId, changes: { ...changes } }
    const after = settingsAfter(state, changes)
    return [
      changed,
      ...(after ? rejudge({ ports, log, state: { ...state, settings: after }, alwaysRules, command }, null) : []),
    ]
  }
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

/** The settings with the changes in them; null for changes that the store is about to refuse. */
function settingsAfter({ settings }: Overview, changes: Readonly<Record<string, Json>>): ConversationSettings | null {
  const kept = Object.entries({ ...settings, ...changes }).filter(([, value]) => value !== null)
  return ConversationSettings.safeParse(Object.fromEntries(kept)).data ?? null
}
