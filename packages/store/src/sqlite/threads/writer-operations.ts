import type { Database } from 'better-sqlite3'
import { durableSettings } from '../files/connection.ts'
import type { Operations, WriteSignatures } from '../messages/operations.ts'
import { createAppend } from '../tables/append.ts'
import { deleteConversation, eraseEntries, reindexConversation } from '../tables/erasure.ts'
import type { WriterTables } from '../tables/writer-tables.ts'

/** Figures of the writing thread, for tests. */
export interface GroupStatistics {
  commitCount: number
  /** Commits without a sync of their own. */
  unsyncedCount: number
  largestGroup: number
}

/**
 * Operations that have a transaction to themselves: they write before they know that nothing refuses them,
 * or are long.
 */
export const ALONE: ReadonlySet<keyof WriteSignatures> = new Set([
  'erase',
  'deleteConversation',
  'reindex',
  'collectBlobs',
  'writerStatistics',
  'limitPages',
])

/**
 * Operations that a failing power may undo: a snapshot is a cache, and a lease that is forgotten was held by a process
 * that is gone, and nothing written under it is left, or the same sync would have kept the lease too. [LOG10]
 */
export const NOT_DURABLE: ReadonlySet<keyof WriteSignatures> = new Set([
  'acquireLease',
  'releaseLease',
  'writeSnapshots',
])

/** Operations after which what was deleted is also driven out of the file before they are answered. */
export const PURGING: ReadonlySet<keyof WriteSignatures> = new Set(['erase', 'deleteConversation'])

/** What the writing thread does, by name. */
export function createWriterOperations(tables: WriterTables, statistics: GroupStatistics): Operations<WriteSignatures> {
  const { blobs, cache, drafts, leases, records, snapshots } = tables
  const database: Database = tables.database
  return {
    append: createAppend(tables),
    appendDrafts: ({ chunks }) => drafts.append(chunks),
    writeSnapshots({ conversationId, rows }) {
      if (cache.find(conversationId)) snapshots.write(conversationId, rows)
      return null
    },
    acquireLease: (call) => leases.acquire(call),
    endLeases({ now }) {
      leases.endAll(now)
      return null
    },
    releaseLease(lease) {
      const { conversationId, head } = lease
      if (head !== undefined && (cache.find(conversationId)?.head ?? 0) !== head) return false
      leases.release(lease)
      return true
    },
    beginBlob: ({ ownerId, objectId }) => blobs.begin(ownerId, objectId),
    addBlobPiece({ blobKey, piece, bytes }) {
      blobs.addPiece(blobKey, piece, bytes)
      return null
    },
    endBlob({ blobKey, ...upload }) {
      blobs.end(blobKey, upload)
      return null
    },
    dropBlob({ blobKey }) {
      blobs.drop(blobKey)
      return null
    },
    forgetDropped({ objectIds }) {
      blobs.forgetDropped(objectIds)
      return null
    },
    collectBlobs: ({ uploadedBefore }) => blobs.collect(uploadedBefore),
    putRecords(calls) {
      for (const call of calls) records.requireRevision(call)
      return calls.map((call) => records.put(call))
    },
    removeRecord(call) {
      records.remove(call)
      return null
    },
    erase: (call) => eraseEntries(tables, call),
    deleteConversation(call) {
      deleteConversation(tables, call)
      return null
    },
    reindex({ conversationId }) {
      reindexConversation(tables, conversationId)
      return null
    },
    writerStatistics: () => ({ ...statistics, settings: durableSettings(database) }),
    limitPages({ maxPages }) {
      database.pragma(`max_page_count = ${maxPages}`)
      return null
    },
  }
}
