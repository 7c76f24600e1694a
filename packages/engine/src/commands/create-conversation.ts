import type { AgentInUse, ConversationSettings, NewEntry } from '@holdfast/conversation'
import type { CreateConversation } from '../api/engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { checkModel } from '../chosen/check-model.ts'
import { firstPreset, presetEntry } from '../chosen/first-preset.ts'
import type { LiveLog } from '../log/live-log.ts'
import { agentToTake, switchEntry } from './agents.ts'
import { checkFirstSettings, checkPlace } from './change-settings.ts'

/** The conversation that a command creates: the same command names the same one. [LOG4] */
export function conversationIdOf(
  { sha256 }: EnginePorts,
  { ownerId, commandId }: Pick<CreateConversation, 'ownerId' | 'commandId'>,
): string {
  return `conversation_${sha256(`${ownerId}\n${commandId}`).slice(0, 24)}`
}

/**
 * Begins a log.
 *
 * @throws {RefusedCommandError}
 */
export async function create(ports: EnginePorts, log: LiveLog, command: CreateConversation): Promise<void> {
  const { commandId, title, modelId } = command
  // A command that was carried out before is answered as then, whatever models there were since. [LOG4]
  const entries = log.overview().head === 0 ? await firstEntries(ports, log, command) : [createdEntry(command, {})]
  // What a reset or a parent hands on follows from its log, which may have grown before a second attempt.
  const chosen = command.origin === undefined && command.settings !== undefined ? [command.settings] : []
  const named = [command.agentId, command.presetId === undefined ? undefined : `preset ${command.presetId}`]
  const asked = ['create', title, modelId, ...named.filter((name) => name !== undefined), ...chosen]
  const key = { commandId, fingerprint: ports.sha256(JSON.stringify(asked)) }
  await log.append({ epoch: null, command: key, dropDraft: null }, () => entries)
}

/** The entries with which a conversation begins. @throws {RefusedCommandError} */
export async function firstEntries(ports: EnginePorts, log: LiveLog, command: CreateConversation): Promise<NewEntry[]> {
  const { commandId, actor, title, modelId, settings } = command
  if (modelId !== null) checkModel(ports, modelId)
  if (command.origin === undefined && settings !== undefined)
    checkPlace(ports, { ownerId: command.ownerId, before: {}, changes: settings })
  const agent = await firstAgent(ports, command)
  const preset = await firstPreset(ports, { command, agent })
  const others = { ...preset?.changes, ...settings }
  if (modelId === null && others.modelId !== undefined) checkModel(ports, others.modelId)
  const scriptId = modelId === null ? scriptThatAnswers(ports, { agent, settings: others }) : null
  const script = scriptId === null ? {} : { modelId: scriptId }
  const own = { ...settings, ...(modelId === null ? script : { modelId }) }
  // What is chosen together with an agent or a preset stands above what they say.
  const besideAgent = agent === null ? {} : { ...(command.agentId === undefined ? {} : settings), ...script }
  const above = preset === null ? besideAgent : own
  const entries: NewEntry[] = [
    createdEntry(command, own),
    ...(agent === null ? [] : [switchEntry(agent, command)]),
    ...(preset === null ? [] : [presetEntry(preset, command)]),
    ...(Object.keys(above).length === 0
      ? []
      : [{ type: 'settings-changed' as const, actor, commandId, changes: above }]),
    ...(title === null ? [] : [{ type: 'title-changed' as const, actor, title, source: 'user' as const }]),
  ]
  if (command.origin === undefined && settings !== undefined)
    checkFirstSettings(ports, { state: log.overview(), entries, chosen: settings })
  return entries
}

function createdEntry(
  { actor, commandId, ownerId, origin }: CreateConversation,
  settings: ConversationSettings,
): NewEntry {
  return { type: 'conversation-created', actor, commandId, ownerId, settings, origin: origin ?? { type: 'new' } }
}

/**
 * The demo, where it would answer because nobody says who else: it is written down as chosen. A provider that is
 * connected later is not sent what was said to a script. [UI34]
 */
function scriptThatAnswers(
  ports: EnginePorts,
  chosen: { readonly agent: AgentInUse | null; readonly settings: ConversationSettings },
): string | null {
  if (chosen.agent?.settings.modelId !== undefined || chosen.settings.modelId !== undefined) return null
  const first = ports.models()[0]
  return first?.facts.price?.reference === 'demo' ? first.modelId : null
}

async function firstAgent(ports: EnginePorts, command: CreateConversation): Promise<AgentInUse | null> {
  const { ownerId, agentId, modelId } = command
  if (agentId === undefined) return command.agent ?? null
  const chosen = await agentToTake(ports, { ownerId, agentId })
  // A model that was named with the agent is this conversation's own, and stays above what the agent says.
  if (modelId === null) return chosen
  const { modelId: _, ...settings } = chosen.settings
  return { ...chosen, settings: { ...settings, modelId } }
}
