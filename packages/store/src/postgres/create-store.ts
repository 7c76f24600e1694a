import type { Clock, EntryStore, Records } from '@holdfast/conversation'
import { createDatabase, DATABASE_LIMITS, type Database, type DatabaseLimits } from './connection/database.ts'
import { openSchema } from './connection/open-schema.ts'
import { MIGRATIONS } from './connection/schema.ts'
import { serverName } from './connection/server-name.ts'
import { backUp } from './maintenance/backup.ts'
import { check } from './maintenance/check.ts'
import { collectBlobs } from './maintenance/collect-blobs.ts'
import { deleteConversation, erase } from './maintenance/erase.ts'
import { listConversations, readListing } from './reading/conversation-list.ts'
import { readPage } from './reading/read.ts'
import { search } from './reading/search.ts'
import { readUsage } from './reading/usage.ts'
import { append } from './tables/append.ts'
import { appendDrafts, readDrafts } from './tables/drafts.ts'
import { acquireLease, endLeases, expiredLeases, releaseLease } from './tables/leases.ts'
import { putBlob } from './tables/put-blob.ts'
import { readBlob, storedBytes } from './tables/read-blob.ts'
import { createRecords } from './tables/records.ts'
import { reindex } from './tables/reindex.ts'
import { readableEntries } from './tables/scan-log.ts'
import { readSnapshots, writeSnapshots } from './tables/snapshots.ts'

/** Where the database is, and how much of it one process uses. */
export interface PostgresStoreOptions {
  /** As `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly connectionString: string
  /** For time limits on answers that do not come; leases run by the server's clock. */
  readonly clock: Clock
  /** The most connections that are open at a time. */
  readonly poolSize: number
}

/** A store in a PostgreSQL database, with the records kept beside it. Any number of processes may open the same one. */
export interface PostgresStore {
  readonly store: EntryStore
  readonly records: Records
  /** Closes both. */
  close(): Promise<void>
}

/**
 * Opens the store of a database, and makes it in one that has none.
 *
 * @throws {StoreOpenError} when the server cannot be reached, could not keep what it acknowledges, or holds
 *   the store of a newer Holdfast. Nothing was changed.
 */
export function createPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  return openPostgresStore(options, DATABASE_LIMITS)
}

/** Opens a store with other time limits. */
export async function openPostgresStore(
  { connectionString, clock, poolSize }: PostgresStoreOptions,
  limits: DatabaseLimits,
): Promise<PostgresStore> {
  const server = serverName(connectionString)
  await openSchema({ connectionString, server, migrations: MIGRATIONS })
  const schemaVersion = MIGRATIONS.length
  const database = createDatabase({ connectionString, server, clock, poolSize, schemaVersion, limits })
  return {
    store: storeOf(database, { connectionString, server, clock }),
    records: createRecords(database),
    close: () => database.close(),
  }
}

function storeOf(
  database: Database,
  { clock, ...source }: { readonly connectionString: string; readonly server: string; readonly clock: Clock },
): EntryStore {
  return {
    append: (given) => append(database, given),
    read: (query) => readPage(database, query),

    appendDrafts: (chunks) => appendDrafts(database, chunks),
    readDrafts: (conversationId) => readDrafts(database, conversationId),

    writeSnapshots: (conversationId, snapshots) => writeSnapshots(database, conversationId, snapshots),
    readSnapshots: (conversationId) => readSnapshots(database, conversationId),

    acquireLease: (request) => acquireLease(database, request),
    endLeases: () => endLeases(database),
    releaseLease: (lease) => releaseLease(database, lease),
    expiredLeases: (limit) => expiredLeases(database, limit),

    putBlob: (upload) => putBlob(database, upload),
    readBlob: (address) => readBlob(database, address),
    collectBlobs: (uploadedBefore) => collectBlobs(database, uploadedBefore),
    storedBytes: (ownerId) => storedBytes(database, ownerId),

    listConversations: (query) => listConversations(database, query),
    readListing: (conversationId) => readListing(database, conversationId),
    search: (request) => search(database, request),
    reindex: (conversationId) => reindex(database, conversationId),
    readUsage: (query) => readUsage(database, query),

    erase: (erasure) => erase(database, erasure),
    deleteConversation: (conversationId, at) => deleteConversation(database, conversationId, at),
    check: (signal) => check(database, signal),
    readableEntries: (conversationId) => readableEntries(database, conversationId),
    backup: (file, signal) => database.beside(() => backUp(source, { file, signal })),

    close: () => database.close(),
  }
}
