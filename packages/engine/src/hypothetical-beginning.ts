import { type NewEntry, overview } from '@holdfast/conversation'
import { agentToTake, switchEntry } from './agents.ts'
import { checkModel } from './commands.ts'
import type { LiveLog } from './live-log.ts'
import type { NewConversation } from './new-conversation.ts'
import type { EnginePorts } from './ports.ts'
import { requestState } from './request-state.ts'

/** The log before the first entry. Its name is no conversation's, and another one for every owner. */
export function emptyLog({ ownerId }: NewConversation): Pick<LiveLog, 'conversationId' | 'overview' | 'requestState'> {
  return {
    conversationId: `new:${ownerId}`,
    overview: () => overview.initial,
    requestState: () => requestState.initial,
  }
}

/**
 * The entries with which it would begin.
 *
 * @throws {UnknownModelError | UnknownAgentError}
 */
export async function beginningOf(ports: EnginePorts, asked: NewConversation): Promise<readonly NewEntry[]> {
  const { ownerId, modelId, agentId } = asked
  if (modelId !== null) checkModel(ports, modelId)
  const by = { actor: { type: 'person' as const, userId: ownerId }, commandId: 'asked' }
  const agent = agentId === null ? null : await agentToTake(ports, { ownerId, agentId })
  const settings = modelId === null ? {} : { modelId }
  const origin = { type: 'new' as const }
  const created: NewEntry = { type: 'conversation-created', ...by, ownerId, settings, origin }
  if (agent === null) return [created]
  // What is chosen for the conversation stands above what the agent says.
  const chosen: NewEntry[] = modelId === null ? [] : [{ type: 'settings-changed', ...by, changes: { modelId } }]
  return [created, switchEntry(agent, by), ...chosen]
}
