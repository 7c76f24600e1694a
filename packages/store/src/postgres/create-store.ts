import type { Clock, Doorbell, DoorbellListener, EntryStore, Records, ReplicaStore } from '@holdfast/conversation'
import { type BucketOptions, createBucket } from '../bucket/bucket.ts'
import { createDatabase, DATABASE_LIMITS, type DatabaseLimits } from './connection/database.ts'
import { type DoorbellOptions, openDoorbell } from './connection/doorbell.ts'
import { openSchema } from './connection/open-schema.ts'
import { MIGRATIONS } from './connection/schema.ts'
import { serverName } from './connection/server-name.ts'
import { createPatience, IMPATIENT, type StartPatience } from './connection/start-patience.ts'
import { backUp } from './maintenance/backup.ts'
import { check } from './maintenance/check.ts'
import { collectBlobs } from './maintenance/collect-blobs.ts'
import { deleteConversation, erase } from './maintenance/erase.ts'
import { listConversations, readListing } from './reading/conversation-list.ts'
import { readPage, readPageText } from './reading/read.ts'
import { search } from './reading/search.ts'
import { readSize } from './reading/size.ts'
import { readUsage } from './reading/usage.ts'
import { append } from './tables/append.ts'
import type { ContentPlace } from './tables/content-place.ts'
import { appendDrafts, readDrafts } from './tables/drafts.ts'
import { acquireLease, endLeases, expiredLeases, releaseLease } from './tables/leases.ts'
import { putBlob } from './tables/put-blob.ts'
import { readBlob, storedBytes } from './tables/read-blob.ts'
import { createRecords } from './tables/records.ts'
import { reindex } from './tables/reindex.ts'
import { createReplicas } from './tables/replicas.ts'
import { readableEntries } from './tables/scan-log.ts'
import { readSnapshots, writeSnapshots } from './tables/snapshots.ts'

/** Where the database is, and how much of it one process uses. */
export interface PostgresStoreOptions {
  /** As `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly connectionString: string
  /** For time limits on answers that do not come; leases run by the server's clock. */
  readonly clock: Clock
  /** The most connections that are open at a time, beside one for the beats of a replica. */
  readonly poolSize: number
  /** Where new content of blobs is kept; the database where it is left out. [LOG32] */
  readonly bucket?: BucketOptions
  /** How a start waits where there is no room for it; without it, it does not. */
  readonly patience?: StartPatience
}

/** What a beat may take, in milliseconds: far less than a replica counts as alive without one. */
const BEAT_LIMITS: DatabaseLimits = { statementMs: 1_500, maintenanceMs: 1_500, silenceMs: 500, connectMs: 1_500 }

/** A store in a PostgreSQL database, with the records kept beside it. Any number of processes may open the same one. */
export interface PostgresStore {
  readonly store: EntryStore
  readonly records: Records
  /** The processes that work on the same database. */
  readonly replicas: ReplicaStore
  /** How large the database is, in bytes. */
  sizeBytes(): Promise<number>
  /** Opens the doorbell of this process to the others on the database. It is closed before the store. [SCALE11] */
  openDoorbell(options: DoorbellOptions, events: DoorbellListener): Doorbell
  /** Closes them all. */
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
  { connectionString, clock, poolSize, bucket, patience }: PostgresStoreOptions,
  limits: DatabaseLimits,
): Promise<PostgresStore> {
  const server = serverName(connectionString)
  const whileBusy = patience === undefined ? IMPATIENT : createPatience(clock, patience)
  await whileBusy(() => openSchema({ connectionString, server, migrations: MIGRATIONS }))
  const schemaVersion = MIGRATIONS.length
  const target = { connectionString, server, clock, schemaVersion, whileBusy }
  const database = createDatabase({ ...target, poolSize, limits })
  const beats = createDatabase({ ...target, poolSize: 1, limits: BEAT_LIMITS })
  return {
    store: storeOf(
      { database, bucket: bucket === undefined ? null : createBucket(bucket) },
      { connectionString, server },
    ),
    records: createRecords(database),
    replicas: createReplicas({ own: beats, shared: database, schemaVersion }),
    sizeBytes: () => readSize(database),
    openDoorbell: (options, events) => openDoorbell({ ...options, database, clock }, events),
    close: async () => {
      await Promise.all([database.close(), beats.close()])
    },
  }
}

function storeOf(
  place: ContentPlace,
  source: { readonly connectionString: string; readonly server: string },
): EntryStore {
  const { database, bucket } = place
  return {
    append: (given) => append(database, given),
    read: (query) => readPage(database, query),
    readText: (query) => readPageText(database, query),

    appendDrafts: (chunks) => appendDrafts(database, chunks),
    readDrafts: (conversationId) => readDrafts(database, conversationId),

    writeSnapshots: (conversationId, snapshots) => writeSnapshots(database, conversationId, snapshots),
    readSnapshots: (conversationId) => readSnapshots(database, conversationId),

    acquireLease: (request) => acquireLease(database, request),
    endLeases: () => endLeases(database),
    releaseLease: (lease) => releaseLease(database, lease),
    expiredLeases: (limit) => expiredLeases(database, limit),

    putBlob: (upload) => putBlob(place, upload),
    readBlob: (address) => readBlob(place, address),
    collectBlobs: (uploadedBefore) => collectBlobs(place, uploadedBefore),
    storedBytes: (ownerId) => storedBytes(database, ownerId),

    listConversations: (query) => listConversations(database, query),
    readListing: (conversationId) => readListing(database, conversationId),
    search: (request) => search(database, request),
    reindex: (conversationId) => reindex(database, conversationId),
    readUsage: (query) => readUsage(database, query),

    erase: (erasure) => erase(place, erasure),
    deleteConversation: (conversationId, at) => deleteConversation(place, conversationId, at),
    check: (signal) => check(place, signal),
    readableEntries: (conversationId) => readableEntries(database, conversationId),
    backup: (file, signal) => database.beside(() => backUp({ ...source, bucket }, { file, signal })),

    close: () => database.close(),
  }
}
