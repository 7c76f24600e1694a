import type { Conversation, ConversationTable } from './conversation-table.ts'
import type { EntryTable } from './entry-table.ts'
import { listingStateOf } from './walk-log.ts'

/** How many conversations are kept at hand; a busy one is never the oldest. */
const KEPT = 2_000

/**
 * The conversations that were written last, so that an append need not read and parse its row.
 * It holds what the open transaction has written: after a rollback it is wrong, and is emptied.
 */
export interface ConversationCache {
  /** @throws {DamagedLogError} when the conversation's row is damaged. */
  find(conversationId: string): Conversation | null
  put(conversation: Conversation): void
  remove(conversationId: string): void
  clear(): void
}

/** The cache of the writing thread. */
export function createConversationCache(conversations: ConversationTable, entries: EntryTable): ConversationCache {
  const known = new Map<string, Conversation>()
  return {
    find(conversationId) {
      const kept = known.get(conversationId)
      if (kept) return kept
      const row = conversations.find(conversationId)
      if (!row) return null
      const { key, ownerId, head } = row
      const conversation = { key, conversationId, ownerId, head, listing: listingStateOf(row, entries) }
      known.set(conversationId, conversation)
      return conversation
    },
    put(conversation) {
      // Deleted first, so that it stands last: the first is the one that has not been written for longest.
      known.delete(conversation.conversationId)
      known.set(conversation.conversationId, conversation)
      const [oldest] = known.keys()
      if (known.size > KEPT && oldest !== undefined) known.delete(oldest)
    },
    remove: (conversationId) => {
      known.delete(conversationId)
    },
    clear: () => known.clear(),
  }
}
