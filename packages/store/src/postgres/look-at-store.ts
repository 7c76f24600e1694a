import type { Clock, EntryStore, Records } from '@holdfast/conversation'
import { type BucketOptions, createBucket } from '../bucket/bucket.ts'
import { createDatabase, DATABASE_LIMITS } from './connection/database.ts'
import { requireSchema } from './connection/open-schema.ts'
import { MIGRATIONS } from './connection/schema.ts'
import { serverName } from './connection/server-name.ts'
import { IMPATIENT } from './connection/start-patience.ts'
import { backUp } from './maintenance/backup.ts'
import { check } from './maintenance/check.ts'
import { readListing } from './reading/conversation-list.ts'
import { readUsage } from './reading/usage.ts'
import { createRecords } from './tables/records.ts'

/** Which database is looked at. */
export interface PostgresLook {
  /** As `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly connectionString: string
  /** For time limits on answers that do not come. */
  readonly clock: Clock
  /** Where content of blobs may be; left out where only the database has any. */
  readonly bucket?: BucketOptions
}

/** What can be read of a store without opening it for work. */
export type PostgresReader = Pick<EntryStore, 'check' | 'backup' | 'readUsage' | 'readListing'> & {
  readonly records: Pick<Records, 'get'>
}

/** One reads, and one more where a backup is written. */
const POOL_SIZE = 1

/**
 * Looks at a store while servers may work on it: nothing is changed, and none is made where there is none.
 *
 * @throws {StoreOpenError} when the server cannot be used, or the database holds no store of this version.
 */
export async function lookAtPostgresStore<Value>(
  { connectionString, clock, bucket: options }: PostgresLook,
  look: (reader: PostgresReader) => Promise<Value>,
): Promise<Value> {
  const server = serverName(connectionString)
  await requireSchema({ connectionString, server, migrations: MIGRATIONS })
  const schemaVersion = MIGRATIONS.length
  const limits = DATABASE_LIMITS
  const bucket = options === undefined ? null : createBucket(options)
  const database = createDatabase({
    connectionString,
    server,
    clock,
    poolSize: POOL_SIZE,
    schemaVersion,
    limits,
    whileBusy: IMPATIENT,
  })
  try {
    return await look({
      check: (signal) => check({ database, bucket }, signal),
      backup: (file, signal) => database.beside(() => backUp({ connectionString, server, bucket }, { file, signal })),
      readUsage: (query) => readUsage(database, query),
      records: createRecords(database),
      readListing: (conversationId) => readListing(database, conversationId),
    })
  } finally {
    await database.close()
  }
}
