import { StoreOpenError } from '@holdfast/conversation'
import pg from 'pg'

/** How the server treats what we commit. */
export interface Durability {
  readonly synchronousCommit: string
  readonly fsync: string
}

/** What a connection of the pool must be like. */
export interface ConnectionNeeds {
  readonly statementLimitMs: number
  readonly schemaVersion: number
}

/** What was found out of a connection when it was opened. */
export interface ConnectionFacts {
  /**
   * Whether a pooler such as pgbouncer stands between: then each transaction may be on another connection of the server, what
   * is set for a session reaches others' sessions, and settings are those of a transaction. [SCALE16]
   */
  readonly isPooled: boolean
  /** The value of synchronous_commit, under which a commit is durable. */
  readonly synchronousCommit: string
}

/**
 * Readies a new connection: its time limits, and whether a commit on it is durable. The value of
 * synchronous_commit is set to what it is, so that a later change of the server's does not reach it. Every
 * page has an index that is in its order, and the planner is told to use it: of a table that has just grown, or
 * of one owner with much, it does not know that sorting takes long [LOG5]. What it avoids so it takes for dear,
 * and would compile. Behind a pooler nothing is set here: each transaction begins with `transactionSettings`.
 *
 * @throws {StoreOpenError} when a commit would be acknowledged before it is on disk [LOG3, LOG8], or a newer
 *   Holdfast has changed the schema since the store was opened so that this one cannot go on. [SCALE30]
 */
export async function prepareConnection(client: pg.ClientBase, needs: ConnectionNeeds): Promise<ConnectionFacts> {
  const found = await client.query<Durability & { processId: number }>(
    `SELECT
      current_setting('synchronous_commit') AS "synchronousCommit",
      current_setting('fsync') AS "fsync",
      pg_backend_pid() AS "processId"`,
  )
  const [facts] = found.rows
  if (!facts) throw new Error('The server answered a question about itself with nothing')
  refuseUnsynced(facts)
  const { synchronousCommit, processId } = facts
  const isPooled = processId !== announcedProcess(client)
  if (!isPooled) {
    await client.query(settingsAs('SET SESSION', { synchronousCommit, statementLimitMs: needs.statementLimitMs }))
  }
  const meta = await client.query<{ version: number; oldest: number }>(
    'SELECT schema_version AS version, oldest_version AS oldest FROM holdfast.meta',
  )
  const { version = 0, oldest = 0 } = meta.rows[0] ?? {}
  if (version < needs.schemaVersion || oldest > needs.schemaVersion) throw outdated(needs.schemaVersion)
  return { isPooled, synchronousCommit }
}

/** What a server is told whose version cannot go on beside the schema. [SCALE30] */
export function outdated(schemaVersion: number): StoreOpenError {
  return new StoreOpenError(
    'newer-version',
    `has another schema now than version ${schemaVersion}, which this process knows: restart it with the newest Holdfast`,
  )
}

/** The settings of a connection as the first statements of a transaction behind a pooler. */
export function transactionSettings(synchronousCommit: string, statementLimitMs: number): string {
  return settingsAs('SET LOCAL', { synchronousCommit, statementLimitMs })
}

/**
 * The process that the server named when the connection was opened. A pooler names one of its own making.
 * https://www.postgresql.org/docs/15/protocol-flow.html (BackendKeyData)
 */
function announcedProcess(client: pg.ClientBase): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null
}

function settingsAs(
  how: 'SET SESSION' | 'SET LOCAL',
  { synchronousCommit, statementLimitMs }: { readonly synchronousCommit: string; readonly statementLimitMs: number },
): string {
  const settings = {
    synchronous_commit: pg.escapeLiteral(synchronousCommit),
    statement_timeout: statementLimitMs,
    lock_timeout: statementLimitMs,
    idle_in_transaction_session_timeout: statementLimitMs,
    enable_sort: 'off',
    jit: 'off',
  }
  return Object.entries(settings)
    .map(([name, value]) => `${how} ${name} = ${value}`)
    .join('; ')
}

/** Refuses a server that would acknowledge what a power cut takes back. */
export function refuseUnsynced({ synchronousCommit, fsync }: Durability): void {
  if (synchronousCommit === 'off' || synchronousCommit === 'local') {
    throw new StoreOpenError(
      'not-writable',
      `PostgreSQL runs with synchronous_commit = ${synchronousCommit}, which acknowledges what is not yet safe. ` +
        'Set it to on: ALTER DATABASE … SET synchronous_commit = on',
    )
  }
  if (fsync !== 'on') {
    throw new StoreOpenError(
      'not-writable',
      `PostgreSQL runs with fsync = ${fsync}, which loses commits at a power cut. Set fsync = on`,
    )
  }
}
