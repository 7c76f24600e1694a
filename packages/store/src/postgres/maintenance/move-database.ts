import { StoreOpenError } from '@holdfast/conversation'
import { type BucketOptions, createBucket } from '../../bucket/bucket.ts'
import type { PortableSource, PortableTarget } from '../../shared/portable-rows.ts'
import { fillMoved, onSchemaClient, requireSchema, type SchemaClient } from '../connection/open-schema.ts'
import { MIGRATIONS } from '../connection/schema.ts'
import { serverName } from '../connection/server-name.ts'
import { createPortableSource } from './portable-source.ts'
import { createPortableTarget } from './portable-target.ts'

/** Connections of servers to the same database: each of theirs has this name, and looks for work every few seconds. */
const SERVERS = `
  SELECT count(*)::integer AS count FROM pg_catalog.pg_stat_activity
  WHERE datname = current_database() AND application_name = 'holdfast' AND pid <> pg_backend_pid()`

/**
 * Reads the store of a database as it is at one moment, while no server works on it.
 *
 * @throws {StoreOpenError} when there is none, a server is connected, or one was by the end: what it wrote would be missing.
 */
export async function withDatabaseSource<Value>(
  { connectionString, bucket }: { readonly connectionString: string; readonly bucket?: BucketOptions },
  use: (source: PortableSource) => Promise<Value>,
): Promise<Value> {
  const server = serverName(connectionString)
  await requireSchema({ connectionString, server, migrations: MIGRATIONS })
  return onSchemaClient({ connectionString, server }, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query(`SELECT set_config('idle_in_transaction_session_timeout', '0', true)`)
    await requireNoServer(client, server)
    const value = await use(createPortableSource(client, bucket === undefined ? null : createBucket(bucket)))
    await requireNoServer(client, server)
    await client.query('COMMIT')
    return value
  })
}

/**
 * Fills the store of a database that has none, in one transaction. Until it is committed the database says that a move into
 * it has not ended, and no start makes a store there; the next move begins anew.
 *
 * @throws {StoreOpenError} when the database holds a store, or cannot be used.
 */
export async function fillDatabase(
  { connectionString, from }: { readonly connectionString: string; readonly from: string },
  fill: (target: PortableTarget) => Promise<void>,
): Promise<void> {
  const server = serverName(connectionString)
  const target = { connectionString, server, migrations: MIGRATIONS }
  await fillMoved(target, { from, fill: (client) => fill(createPortableTarget(client)) })
}

async function requireNoServer(client: SchemaClient, server: string): Promise<void> {
  // What other sessions do is seen anew only once the snapshot of it is dropped.
  await client.query('SELECT pg_stat_clear_snapshot()')
  const { rows } = await client.query<{ count: number }>(SERVERS)
  const count = rows[0]?.count ?? 0
  if (count > 0)
    throw new StoreOpenError('locked', `${server} is in use by Holdfast (${count} connections). Stop its servers first`)
}
