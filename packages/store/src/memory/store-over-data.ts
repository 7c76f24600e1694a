import { type Clock, type EntryStore, type Records, StoreWriteError } from '@holdfast/conversation'
import { createLeaseTime } from '../shared/lease-time.ts'
import { textOfPage } from '../shared/page-text.ts'
import type { DataAccess } from './data-access.ts'
import { collectBlobs, findBlob, keepUpload, storedBytes, wholeContent } from './memory-blobs.ts'
import { appendDrafts, readDrafts } from './memory-drafts.ts'
import { listConversations, readListing, reindexLog, searchLogs } from './memory-index.ts'
import { acquireLease, endLeases, expiredLeases, releaseLease } from './memory-leases.ts'
import { allEntries, appendEntries, readPage } from './memory-log.ts'
import { checkData, deleteLog, eraseEntries } from './memory-maintenance.ts'
import { changesAfter, getRecord, listRecords, putRecord, putTogether, removeRecord } from './memory-records.ts'
import { readSnapshots, writeSnapshots } from './memory-snapshots.ts'
import { readUsage } from './memory-usage.ts'

/**
 * The entry store over its data. What a caller gives is copied when the call is made: it may be written
 * later, and the caller may change it by then. [LOG1]
 */
export function entryStoreOver({ read, write, close }: DataAccess, clock: Clock): EntryStore {
  const leaseTime = createLeaseTime(clock)
  return {
    append: async (append) => {
      const given = structuredClone(append)
      const now = leaseTime()
      return write((data) => appendEntries(data, given, now))
    },
    read: async (query) => read((data) => readPage(data, query)),
    readText: async (query) => textOfPage(await read((data) => readPage(data, query))),

    appendDrafts: async (chunks) => {
      const given = structuredClone(chunks)
      return write((data) => appendDrafts(data, given))
    },
    readDrafts: async (conversationId) => read((data) => readDrafts(data, conversationId)),

    writeSnapshots: async (conversationId, snapshots) => {
      const given = structuredClone(snapshots)
      return write((data) => writeSnapshots(data, conversationId, given))
    },
    readSnapshots: async (conversationId) => read((data) => readSnapshots(data, conversationId)),

    acquireLease: async (request) => {
      const now = leaseTime()
      return write((data) => acquireLease(data, request, now))
    },
    releaseLease: async (lease) => write((data) => releaseLease(data, lease)),
    endLeases: async () => {
      const now = leaseTime()
      return write((data) => endLeases(data, now))
    },
    expiredLeases: async (limit) => read((data) => expiredLeases(data, leaseTime(), limit)),

    putBlob: async (upload) => {
      const content = await wholeContent(upload.content)
      return write((data) => keepUpload(data, { ...upload, content }))
    },
    readBlob: async (address) => read((data) => findBlob(data, address)),
    collectBlobs: async (uploadedBefore) => write((data) => collectBlobs(data, uploadedBefore)),
    storedBytes: async (ownerId) => read((data) => storedBytes(data, ownerId)),

    listConversations: async (query) => read((data) => listConversations(data, query)),
    readListing: async (conversationId) => read((data) => readListing(data, conversationId)),
    search: async (request) => read((data) => searchLogs(data, request)),
    reindex: async (conversationId) => write((data) => reindexLog(data.logs.get(conversationId))),
    readUsage: async (query) => read((data) => readUsage(data, query)),

    erase: async (erasure) => {
      const given = structuredClone(erasure)
      return write((data) => eraseEntries(data, given))
    },
    deleteConversation: async (conversationId, at) => write((data) => deleteLog(data, conversationId, at)),
    check: async (signal) => {
      signal.throwIfAborted()
      return read(checkData)
    },
    readableEntries: async function* (conversationId) {
      yield* await read((data) => allEntries(data.logs.get(conversationId)))
    },
    backup: async (file) => {
      throw new StoreWriteError(
        'not-writable',
        `A memory store cannot be backed up to ${file}: it keeps nothing on disk. Use SQLite or PostgreSQL.`,
      )
    },

    close,
  }
}

/** The records over the same data. */
export function recordsOver({ read, write }: DataAccess): Records {
  return {
    put: async (kind, { value, ...place }) => {
      const given = { ...place, value: structuredClone(value) }
      return write((data) => putRecord(data, kind, given))
    },
    putTogether: async (writes) => {
      const given = writes.map(({ kind, write: { value, ...place } }) => ({
        kind,
        write: { ...place, value: structuredClone(value) },
      }))
      return write((data) => putTogether(data, given))
    },
    get: async (kind, key) => read((data) => getRecord(data, kind, key)),
    list: async (kind, query) => read((data) => listRecords(data, kind, query)),
    remove: async (kind, key) => write((data) => removeRecord(data, kind.kind, key)),
    changes: async (after, limit) => read((data) => changesAfter(data, after, limit)),
  }
}
