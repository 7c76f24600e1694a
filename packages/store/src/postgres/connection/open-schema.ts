import { StoreOpenError } from '@holdfast/conversation'
import pg from 'pg'
import { refuseUnsynced } from './connection-settings.ts'
import { databaseFailure } from './database-failures.ts'
import { numericTypes } from './numeric-types.ts'
import type { Migration } from './schema.ts'

/** The oldest server that is supported. */
const OLDEST_SERVER = 15

/** How long to wait for a server, and for another process that is changing the schema. */
const CONNECT_LIMIT_MS = 10_000
const LOCK_LIMIT_MS = 60_000

/** One step may build an index over everything. */
const MIGRATION_LIMIT_MS = 30 * 60_000

/** Names the lock under which the schema is changed: "hold" and "fast" as numbers. */
const SCHEMA_LOCK = [0x686f6c64, 0x66617374] as const

/** Which database to open, with its name in messages, and the steps that are known. */
export interface SchemaTarget {
  readonly connectionString: string
  readonly server: string
  readonly migrations: readonly Migration[]
}

/** A connection on which the schema is looked at and changed. */
export type SchemaClient = Pick<pg.Client, 'query'>

/** What must be known of a server before anything is written to it. */
export interface ServerFacts {
  /** As `server_version_num` has it: 150018 is 15.18. */
  readonly versionNumber: number
  readonly encoding: string
  readonly isStandby: boolean
  readonly isReadOnly: boolean
  readonly synchronousCommit: string
  readonly fsync: string
}

/**
 * Brings the schema to the newest version, or makes it in a database that has none. One of a later version is left as it is
 * where servers of this version can go on beside it. [SCALE30]
 *
 * @throws {StoreOpenError} when the server or the schema is not one that can be used. Nothing was changed.
 */
export async function openSchema({ connectionString, server, migrations }: SchemaTarget): Promise<void> {
  await onSchemaClient({ connectionString, server }, async (client) => {
    refuseServer(await serverFacts(client), server)
    const known = { server, newest: migrations.length, mayBeLater: true }
    if (((await schemaVersion(client, known)) ?? 0) >= migrations.length) return
    await inSchemaLock(client, async () => {
      const version = await schemaVersion(client, known)
      await migrate(client, migrations.slice(version ?? 0))
    })
  })
}

/** Looks whether the newest schema is there; changes nothing. @throws {StoreOpenError} when it is not. */
export async function requireSchema(target: SchemaTarget): Promise<void> {
  const { server, migrations } = target
  await onSchemaClient(target, async (client) => {
    refuseServer(await serverFacts(client), server)
    const version = await schemaVersion(client, { server, newest: migrations.length, mayBeLater: false })
    if (version === null) throw new StoreOpenError('missing', `${server} holds no store yet. The first start makes it`)
    if (version < migrations.length) {
      throw new StoreOpenError(
        'older-version',
        `${server} has schema version ${version}; the next start brings it to ${migrations.length}. Nothing was changed`,
      )
    }
  })
}

/** Makes the schema in a database that has none, and fills it in the same transaction. */
export async function createSchema(target: SchemaTarget, fill: (client: SchemaClient) => Promise<void>): Promise<void> {
  const { server, migrations } = target
  await onSchemaClient(target, async (client) => {
    refuseServer(await serverFacts(client), server)
    await inSchemaLock(client, async () => {
      if ((await schemaVersion(client, { server, newest: migrations.length, mayBeLater: false })) !== null) {
        throw new StoreOpenError('exists', `${server} already holds a store, and nothing was changed`)
      }
      await migrate(client, migrations)
      await fill(client)
    })
  })
}

/** A move into a database: from where, in words, and what brings the rows. */
export interface MovedSchema {
  readonly from: string
  readonly fill: (client: SchemaClient) => Promise<void>
}

/**
 * Makes the schema in a database that has none, and fills it in one transaction. Before that the database is marked: who
 * opens it meanwhile, or after a move that broke off, is told so. [CLI14]
 */
export async function fillMoved(target: SchemaTarget, { from, fill }: MovedSchema): Promise<void> {
  const { server, migrations } = target
  await onSchemaClient(target, async (client) => {
    refuseServer(await serverFacts(client), server)
    await inSchemaLock(client, async () => {
      if (await isMarked(client)) return
      if ((await schemaVersion(client, { server, newest: migrations.length, mayBeLater: false })) !== null)
        throw new StoreOpenError('exists', `${server} already holds a store, and nothing was changed`)
      await client.query('CREATE SCHEMA holdfast')
      await client.query('CREATE TABLE holdfast.moving (moved_from text NOT NULL)')
      await client.query('INSERT INTO holdfast.moving (moved_from) VALUES ($1)', [from])
    })
    await inSchemaLock(client, async () => {
      if (!(await isMarked(client)))
        throw new StoreOpenError('exists', `${server} got a store meanwhile, and nothing was changed`)
      await client.query('DROP SCHEMA holdfast CASCADE')
      await migrate(client, migrations)
      await client.query(`SELECT set_config('idle_in_transaction_session_timeout', '0', true)`)
      await fill(client)
    })
  })
}

async function isMarked(client: SchemaClient): Promise<boolean> {
  const { rows } = await client.query<{ isMarked: boolean }>(IS_MARKED)
  return rows[0]?.isMarked === true
}

const IS_MARKED = `
  SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'holdfast' AND tablename = 'moving') AS "isMarked"`

/** Runs work on a connection of its own; what the server refuses becomes a `StoreOpenError`. */
export async function onSchemaClient<Value>(
  { connectionString, server }: Pick<SchemaTarget, 'connectionString' | 'server'>,
  work: (client: SchemaClient) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    // Beside the server's own limits, which hold in the transaction that changes something: it may be silent.
    query_timeout: MIGRATION_LIMIT_MS,
    application_name: 'holdfast',
    keepAlive: true,
    types: numericTypes(),
  })
  // A connection that ends fails the query that is under way; the event says nothing more.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw toOpenError(error, server)
  } finally {
    await client.end()
  }
}

/** Refuses a server that could not keep the promises of a store. */
export function refuseServer(facts: ServerFacts, server: string): void {
  const major = Math.floor(facts.versionNumber / 10_000)
  if (major < OLDEST_SERVER) {
    throw new StoreOpenError('not-a-store', `${server} is PostgreSQL ${major}; ${OLDEST_SERVER} or newer is needed`)
  }
  if (facts.encoding !== 'UTF8') {
    throw new StoreOpenError(
      'not-a-store',
      `${server} is encoded in ${facts.encoding}; create it anew with ENCODING 'UTF8'`,
    )
  }
  if (facts.isStandby) throw new StoreOpenError('not-writable', `${server} is a standby; connect to the primary server`)
  if (facts.isReadOnly) {
    throw new StoreOpenError(
      'not-writable',
      `${server} has default_transaction_read_only = on; set it to off to write to it`,
    )
  }
  refuseUnsynced(facts)
}

async function serverFacts(client: SchemaClient): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(
    `SELECT
      current_setting('server_version_num')::integer AS "versionNumber",
      current_setting('server_encoding') AS "encoding",
      pg_is_in_recovery() AS "isStandby",
      current_setting('transaction_read_only') = 'on' AS "isReadOnly",
      current_setting('synchronous_commit') AS "synchronousCommit",
      current_setting('fsync') AS "fsync"`,
  )
  const [facts] = rows
  if (!facts) throw new Error('The server answered a question about itself with nothing')
  return facts
}

/** Not by to_regclass, which may remember that there was none before another process made it. */
const HAS_SCHEMA = `
  SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'holdfast') AS "hasSchema",
    EXISTS (SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'holdfast' AND tablename = 'meta') AS "hasMeta"`

/** The version of the schema, or null when there is none. */
async function schemaVersion(
  client: SchemaClient,
  { server, newest, mayBeLater }: { server: string; newest: number; mayBeLater: boolean },
): Promise<number | null> {
  const found = await client.query<{ hasSchema: boolean; hasMeta: boolean }>(HAS_SCHEMA)
  if (!found.rows[0]?.hasSchema) return null
  if (await isMarked(client)) throw await unfinishedMove(client, server)
  const version = found.rows[0].hasMeta ? await readVersion(client) : undefined
  if (version === undefined) {
    throw new StoreOpenError(
      'not-a-store',
      `${server} has a schema named "holdfast" that is not ours. Nothing was changed; use another database`,
    )
  }
  if (version > newest && !(mayBeLater && (await oldestVersion(client)) <= newest)) {
    throw new StoreOpenError(
      'newer-version',
      `${server} has schema version ${version}; this Holdfast knows versions up to ${newest}. ` +
        'A newer Holdfast wrote it: install that version or a later one. Nothing was changed',
    )
  }
  return version
}

async function unfinishedMove(client: SchemaClient, server: string): Promise<StoreOpenError> {
  const { rows } = await client.query<{ from: string }>('SELECT moved_from AS "from" FROM holdfast.moving')
  const words = `${server}: a move from ${rows[0]?.from ?? 'another store'} has not ended. Run it again, or drop its schema "holdfast" to begin with nothing`
  return new StoreOpenError('incomplete', words)
}

async function readVersion(client: SchemaClient): Promise<number | undefined> {
  const { rows } = await client.query<{ version: number }>('SELECT schema_version AS version FROM holdfast.meta')
  return rows[0]?.version
}

/** The oldest version of a server that can go on beside a schema of a later version than the sixth. */
async function oldestVersion(client: SchemaClient): Promise<number> {
  const { rows } = await client.query<{ oldest: number }>('SELECT oldest_version AS oldest FROM holdfast.meta')
  return rows[0]?.oldest ?? Number.MAX_SAFE_INTEGER
}

async function inSchemaLock(client: SchemaClient, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(`SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true)`, [
      String(MIGRATION_LIMIT_MS),
      String(LOCK_LIMIT_MS),
    ])
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [...SCHEMA_LOCK])
    await work()
    const { command } = await client.query('COMMIT')
    if (command !== 'COMMIT') throw new StoreOpenError('unreachable', `The schema's transaction ended with ${command}`)
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

async function migrate(client: SchemaClient, missing: readonly Migration[]): Promise<void> {
  for (const migration of missing) {
    for (const statement of migration) await client.query(statement)
    await client.query('UPDATE holdfast.meta SET schema_version = schema_version + 1')
  }
}

/** SQLSTATE of a lock that could not be had in time, and of a database that does not exist. */
const LOCK_NOT_AVAILABLE = '55P03'
const NO_SUCH_DATABASE = '3D000'

function toOpenError(error: unknown, server: string): unknown {
  if (error instanceof pg.DatabaseError && error.code === NO_SUCH_DATABASE) {
    return new StoreOpenError('missing', `${server} does not exist; create it with createdb`, { cause: error })
  }
  if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) {
    const message = `${server} is being changed by another Holdfast process for more than ${LOCK_LIMIT_MS} ms; try again`
    return new StoreOpenError('locked', message, { cause: error })
  }
  const failure = databaseFailure(error)
  if (!failure) return error
  const code = failure.code === 'not-writable' || failure.code === 'disk-full' ? 'not-writable' : 'unreachable'
  return new StoreOpenError(code, `${server} ${failure.what}. Nothing was changed`, { cause: failure.cause })
}
