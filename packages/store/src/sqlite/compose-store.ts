import type { Clock, EntryStore, StoreMaintenance } from '@holdfast/conversation'
import type { Bucket } from '../bucket/bucket.ts'
import { toDrafts } from '../shared/draft-rows.ts'
import { createLeaseTime } from '../shared/lease-time.ts'
import { readRow } from '../shared/read-rows.ts'
import { createSqliteBlobs } from './sqlite-blobs.ts'
import { createSqliteIndexes } from './sqlite-indexes.ts'
import { createSqliteLog, type StoreThreads } from './sqlite-log.ts'

/** What of a store is not done by its two threads. */
export interface StoreSurroundings extends Pick<StoreMaintenance, 'check' | 'backup'> {
  readonly clock: Clock
  /** Where new content of blobs is kept; null for the database. */
  readonly bucket: Bucket | null
  close(): Promise<void>
}

/** The store over its threads. */
export function composeStore(threads: StoreThreads, surroundings: StoreSurroundings): EntryStore {
  const { writer, reader } = threads
  const { clock, bucket, check, backup, close } = surroundings
  const { removeDroppedIfReached, ...blobs } = createSqliteBlobs(threads, bucket)
  const leaseTime = createLeaseTime(clock)
  return {
    ...createSqliteLog(threads, leaseTime),
    ...blobs,
    ...createSqliteIndexes(threads),

    appendDrafts: (chunks) => {
      const rows = chunks.map(({ deltas, ...chunk }) => ({ ...chunk, deltas: JSON.stringify(deltas) }))
      return writer.call('appendDrafts', { chunks: rows })
    },
    readDrafts: async (conversationId) => toDrafts(await reader.call('readDrafts', { conversationId })),

    writeSnapshots: async (conversationId, snapshots) => {
      const rows = snapshots.map(({ state, ...about }) => ({ ...about, state: JSON.stringify(state) }))
      await writer.call('writeSnapshots', { conversationId, rows })
    },
    readSnapshots: async (conversationId) => {
      const rows = await reader.call('readSnapshots', { conversationId })
      return rows.map(({ state, ...about }) => ({ ...about, state: JSON.parse(state) }))
    },

    acquireLease: ({ conversationId, holder, ttlMs }) =>
      writer.call('acquireLease', { conversationId, holder, ttlMs, now: leaseTime() }),
    releaseLease: ({ conversationId, epoch, head }) =>
      writer.call('releaseLease', { conversationId, epoch, ...(head === undefined ? {} : { head }) }),
    endLeases: async () => {
      await writer.call('endLeases', { now: leaseTime() })
    },
    expiredLeases: (limit) => reader.call('expiredLeases', { now: leaseTime(), limit }),

    erase: async (erasure) => {
      const rows = await writer.call('erase', erasure)
      await removeDroppedIfReached()
      return rows.map((row) => readRow(erasure.conversationId, row))
    },
    deleteConversation: async (conversationId, at) => {
      await writer.call('deleteConversation', { conversationId, at })
      await removeDroppedIfReached()
    },
    check,
    backup,
    close,
  }
}
