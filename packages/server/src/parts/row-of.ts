import type { ConversationListing } from '@holdfast/conversation'
import { type ConversationRow, toConversationRow } from '@holdfast/protocol'
import type { Desks } from './desks.ts'

/** The row of a conversation as its owner sees it, with what they have read. */
export async function rowOf(desks: Pick<Desks, 'readMark'>, listing: ConversationListing): Promise<ConversationRow> {
  const { ownerId: userId, conversationId } = listing
  return toConversationRow(listing, await desks.readMark({ userId, conversationId }))
}
