import type { AgentInUse, NewEntry } from '@holdfast/conversation'
import type { CreateConversation } from '../api/engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import type { LiveLog } from '../log/live-log.ts'
import { agentToTake, switchEntry } from './agents.ts'
import { checkModel } from './check-model.ts'

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
  const { commandId, actor, ownerId, title, modelId } = command
  // A command that was carried out before is answered as then, whatever models there were since. [LOG4]
  if (modelId !== null && log.overview().head === 0) checkModel(ports, modelId)
  const agent = log.overview().head === 0 ? await firstAgent(ports, command) : null
  const settings = { ...command.settings, ...(modelId === null ? {} : { modelId }) }
  const created: NewEntry = {
    type: 'conversation-created',
    actor,
    commandId,
    ownerId,
    settings,
    origin: command.origin ?? { type: 'new' },
  }
  const named: NewEntry[] = title === null ? [] : [{ type: 'title-changed', actor, title, source: 'user' }]
  const answering = agent === null ? [] : [switchEntry(agent, command)]
  const asked = ['create', title, modelId, ...(command.agentId === undefined ? [] : [command.agentId])]
  const key = { commandId, fingerprint: ports.sha256(JSON.stringify(asked)) }
  await log.append({ epoch: null, command: key, dropDraft: null }, () => [created, ...answering, ...named])
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
