import type { Database } from 'better-sqlite3'
import { type BlobTable, createBlobTable } from './blob-table.ts'
import { type ConversationCache, createConversationCache } from './conversation-cache.ts'
import { type ConversationTable, createConversationTable } from './conversation-table.ts'
import { createDraftTable, type DraftTable } from './draft-table.ts'
import { createEntryTable, type EntryTable } from './entry-table.ts'
import { createLeaseTable, type LeaseTable } from './lease-table.ts'
import { createRecordTable, type RecordTable } from './record-table.ts'
import { createSearchTable, type SearchTable } from './search-table.ts'
import { createSnapshotTable, type SnapshotTable } from './snapshot-table.ts'

/** The tables, for the thread that writes. */
export interface WriterTables {
  readonly database: Database
  readonly entries: EntryTable
  readonly conversations: ConversationTable
  readonly cache: ConversationCache
  readonly leases: LeaseTable
  readonly drafts: DraftTable
  readonly snapshots: SnapshotTable
  readonly blobs: BlobTable
  readonly records: RecordTable
  readonly search: SearchTable
  forgetCommands(conversationKey: number): void
  /** Forgets what was remembered of a transaction that was rolled back. */
  forget(): void
}

/** The tables of the writing connection. */
export function createWriterTables(database: Database, onSearchDamage: (error: Error) => void): WriterTables {
  const entries = createEntryTable(database)
  const conversations = createConversationTable(database)
  const cache = createConversationCache(conversations, entries)
  const leases = createLeaseTable(database)
  const drafts = createDraftTable(database, { cache, leases })
  const forgetCommands = database.prepare<[number]>('DELETE FROM commands WHERE conversation_key = ?')
  return {
    database,
    entries,
    conversations,
    cache,
    leases,
    drafts,
    snapshots: createSnapshotTable(database),
    blobs: createBlobTable(database),
    records: createRecordTable(database),
    search: createSearchTable(database, onSearchDamage),
    forgetCommands: (key) => {
      forgetCommands.run(key)
    },
    forget() {
      cache.clear()
      leases.forget()
      drafts.forget()
    },
  }
}
