import { crc32 } from 'node:zlib'
import type { ListingState } from '@holdfast/conversation'
import { DamagedLogError, listing } from '@holdfast/conversation/stored'
import type { Database } from 'better-sqlite3'
import { rowChecksum } from '../../shared/checksum.ts'
import { type ListingRow, toListingRow } from '../../shared/listing-row.ts'

/** A conversation as the writing thread knows it. */
export interface Conversation {
  readonly key: number
  readonly conversationId: string
  readonly ownerId: string
  readonly head: number
  readonly listing: ListingState
}

/** A conversation's row. */
export interface ConversationRow extends ListingRow {
  readonly key: number
  readonly conversationId: string
  readonly head: number
  readonly checksum: number
}

interface StoredConversation extends Omit<ConversationRow, 'archived'> {
  readonly archived: number
}

/** Where the heads and the list's rows are. */
export interface ConversationTable {
  /**
   * The row of a conversation, or null when there is none.
   *
   * @throws {DamagedLogError} when the row is not what was written, or an index has lost it. [LOG7]
   */
  find(conversationId: string): ConversationRow | null
  /** The key that a damaged row, or the index that still names it, has; null when nothing names it. */
  findKey(conversationId: string): number | null
  insert(conversationId: string, state: ListingState): Conversation
  update(conversation: Conversation, state: ListingState): Conversation
  remove(key: number): void
  /** Keys and ids of all conversations whose key is above `after`, at most `limit`. */
  keys(after: number, limit: number): { readonly key: number; readonly conversationId: string }[]
  /** Keys of rows that another version of the list's projection wrote. */
  outdated(): { readonly key: number; readonly conversationId: string }[]
}

const COLUMNS = `conversation_key AS key, conversation_id AS conversationId, owner_id AS ownerId, head, archived,
  updated_at AS updatedAt, listing_version AS version, checksum, shown, state`

/** The table of a connection. */
export function createConversationTable(database: Database): ConversationTable {
  const byId = database.prepare<[string], StoredConversation>(
    `SELECT ${COLUMNS} FROM conversations WHERE conversation_id = ?`,
  )
  const byHash = database.prepare<[number, string], { key: number }>(
    'SELECT conversation_key AS key FROM conversations INDEXED BY conversations_by_hash WHERE id_hash = ? AND +conversation_id = ?',
  )
  const keyById = database.prepare<[string], { key: number }>(
    'SELECT conversation_key AS key FROM conversations WHERE conversation_id = ?',
  )
  const insert = database.prepare<[string, number, string]>(
    `INSERT INTO conversations (conversation_id, id_hash, owner_id, head, archived, updated_at, listing_version, checksum, shown, state)
     VALUES (?, ?, ?, 0, 0, 0, 0, 0, '', '')`,
  )
  // Two statements, because SQLite writes an index again whenever one of its columns is named.
  const update = database.prepare<[number, number, number, string, string, number]>(
    'UPDATE conversations SET head = ?, listing_version = ?, checksum = ?, shown = ?, state = ? WHERE conversation_key = ?',
  )
  const move = database.prepare<[string, number, number, number, number, number, string, string, number]>(
    `UPDATE conversations SET owner_id = ?, archived = ?, updated_at = ?,
     head = ?, listing_version = ?, checksum = ?, shown = ?, state = ? WHERE conversation_key = ?`,
  )
  const remove = database.prepare<[number]>('DELETE FROM conversations WHERE conversation_key = ?')
  const keys = database.prepare<[number, number], { key: number; conversationId: string }>(
    'SELECT conversation_key AS key, conversation_id AS conversationId FROM conversations WHERE conversation_key > ? ORDER BY conversation_key LIMIT ?',
  )
  const outdated = database.prepare<[number], { key: number; conversationId: string }>(
    'SELECT conversation_key AS key, conversation_id AS conversationId FROM conversations WHERE listing_version <> ?',
  )
  const write = (key: number, known: ListingState | null, state: ListingState): void => {
    const row = toListingRow(state)
    const { ownerId, archived, updatedAt } = state
    const checksum = conversationChecksum({ ...row, key, conversationId: state.conversationId, head: state.head })
    if (known?.ownerId === ownerId && known.archived === archived && known.updatedAt === updatedAt) {
      update.run(state.head, row.version, checksum, row.shown, row.state, key)
    } else {
      move.run(ownerId, archived ? 1 : 0, updatedAt, state.head, row.version, checksum, row.shown, row.state, key)
    }
  }
  return {
    find(conversationId) {
      const row = byId.get(conversationId)
      const bad = (what: string) => new DamagedLogError({ conversationId, firstBadSeq: 1, what })
      if (!row) {
        if (byHash.get(crc32(conversationId), conversationId)) throw bad('the index of conversations has lost it')
        return null
      }
      const found = { ...row, archived: row.archived === 1 }
      if (row.conversationId !== conversationId || row.checksum !== conversationChecksum(found)) {
        throw bad('its row in the conversation list is not what was written')
      }
      return found
    },
    findKey: (conversationId) =>
      (keyById.get(conversationId) ?? byHash.get(crc32(conversationId), conversationId))?.key ?? null,
    insert(conversationId, state) {
      const { ownerId } = state
      // The checksum covers the key, which the row has only now.
      const key = Number(insert.run(conversationId, crc32(conversationId), ownerId).lastInsertRowid)
      write(key, null, state)
      return { key, conversationId, ownerId, head: state.head, listing: state }
    },
    update(conversation, state) {
      write(conversation.key, conversation.listing, state)
      return { ...conversation, head: state.head, listing: state }
    },
    remove: (key) => {
      remove.run(key)
    },
    keys: (after, limit) => keys.all(after, limit),
    outdated: () => outdated.all(listing.version),
  }
}

/** The checksum of all that a conversation's row says. */
function conversationChecksum(row: Omit<ConversationRow, 'checksum'>): number {
  const { key, conversationId, ownerId, head, archived, updatedAt, version, shown, state } = row
  return rowChecksum([key, conversationId, ownerId, head, archived ? 1 : 0, updatedAt, version, shown, state])
}
