import { type Clock, type EntryStore, type Records, StoreWriteError } from '@holdfast/conversation'
import { collectBlobs, findBlob, keepUpload, wholeContent } from './memory-blobs.ts'
import { createMemoryData, type MemoryData } from './memory-data.ts'
import { appendDrafts, readDrafts } from './memory-drafts.ts'
import { listConversations, readListing, reindexLog, searchLogs } from './memory-index.ts'
import { acquireLease, expiredLeases, releaseLease } from './memory-leases.ts'
import { allEntries, appendEntries, readPage } from './memory-log.ts'
import { checkData, deleteLog, eraseEntries } from './memory-maintenance.ts'
import { changesAfter, getRecord, listRecords, putRecord, removeRecord } from './memory-records.ts'
import { readSnapshots, writeSnapshots } from './memory-snapshots.ts'
import { readUsage } from './memory-usage.ts'

/** A store and its records, and the way to open the same data again as after a restart. */
export interface MemoryStore {
  readonly store: EntryStore
  readonly records: Records
  /** Closes this store and opens its data anew. */
  reopen(): Promise<MemoryStore>
}

/** What a memory store needs: the clock by which leases run out. */
export interface MemoryStoreOptions {
  readonly clock: Clock
}

/** The reference store: short, and what every other store is compared with. It keeps nothing on disk. */
export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  return openMemoryStore(options, createMemoryData())
}

function openMemoryStore({ clock }: MemoryStoreOptions, data: MemoryData): MemoryStore {
  let closed = false
  const open = () => {
    if (closed) throw new StoreWriteError('closed', 'This memory store is closed; open it again with reopen()')
    return data
  }

  const store: EntryStore = {
    append: async (append) => appendEntries(open(), append),
    read: async (query) => readPage(open(), query),

    appendDrafts: async (chunks) => appendDrafts(open(), chunks),
    readDrafts: async (conversationId) => readDrafts(open(), conversationId),

    writeSnapshots: async (conversationId, snapshots) => writeSnapshots(open(), conversationId, snapshots),
    readSnapshots: async (conversationId) => readSnapshots(open(), conversationId),

    acquireLease: async (request) => acquireLease(open(), request, clock.now()),
    releaseLease: async (lease) => releaseLease(open(), lease),
    expiredLeases: async (limit) => expiredLeases(open(), clock.now(), limit),

    putBlob: async (upload) => {
      const content = await wholeContent(upload.content)
      return keepUpload(open(), { ...upload, content })
    },
    readBlob: async (address) => findBlob(open(), address),
    collectBlobs: async (uploadedBefore) => collectBlobs(open(), uploadedBefore),

    listConversations: async (query) => listConversations(open(), query),
    readListing: async (conversationId) => readListing(open(), conversationId),
    search: async (request) => searchLogs(open(), request),
    reindex: async (conversationId) => {
      const log = open().logs.get(conversationId)
      if (log) reindexLog(log)
    },
    readUsage: async (query) => readUsage(open(), query),

    erase: async (erasure) => eraseEntries(open(), erasure),
    deleteConversation: async (conversationId) => deleteLog(open(), conversationId),
    check: async (signal) => {
      signal.throwIfAborted()
      return checkData(open())
    },
    readableEntries: async function* (conversationId) {
      yield* allEntries(open().logs.get(conversationId))
    },
    backup: async (file) => {
      throw new StoreWriteError(
        'not-writable',
        `A memory store cannot be backed up to ${file}: it keeps nothing on disk. Use SQLite or PostgreSQL.`,
      )
    },

    close: async () => {
      closed = true
    },
  }

  const records: Records = {
    put: async (kind, write) => putRecord(open(), kind, write),
    get: async (kind, key) => getRecord(open(), kind, key),
    list: async (kind, query) => listRecords(open(), kind, query),
    remove: async (kind, key) => removeRecord(open(), kind.kind, key),
    changes: async (after, limit) => changesAfter(open(), after, limit),
  }

  return {
    store,
    records,
    reopen: async () => {
      closed = true
      return openMemoryStore({ clock }, data)
    },
  }
}
