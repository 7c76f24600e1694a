import { UnknownConversationError } from '../api/unknown-conversation.ts'
import type { LiveLog } from '../log/live-log.ts'

/** Whose conversation it is; a log that has not begun here is looked up first. @throws {UnknownConversationError} */
export async function ownerOf(log: Pick<LiveLog, 'conversationId' | 'overview' | 'refresh'>): Promise<string> {
  if (log.overview().ownerId === null) await log.refresh()
  const { ownerId } = log.overview()
  if (ownerId === null) throw new UnknownConversationError(log.conversationId)
  return ownerId
}
