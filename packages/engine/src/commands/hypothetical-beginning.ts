import { type NewEntry, overview } from '@holdfast/conversation'
import type { NewConversation } from '../api/new-conversation.ts'
import type { EnginePorts } from '../api/ports.ts'
import { checkModel } from '../chosen/check-model.ts'
import type { LiveLog } from '../log/live-log.ts'
import { requestState } from '../log/request-state.ts'
import { agentToTake, switchEntry } from './agents.ts'

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
 * @throws {RefusedCommandError}
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
