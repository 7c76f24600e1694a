import { StoreOpenError } from '@holdfast/conversation'
import type pg from 'pg'

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

/**
 * Readies a new connection: its time limits, and whether a commit on it is durable. The value of
 * synchronous_commit is set to what it is, so that a later change of the server's does not reach it. Every
 * page has an index that is in its order, and the planner is told to use it: of a table that has just grown, or
 * of one owner with much, it does not know that sorting takes long [LOG5]. What it avoids so it takes for dear,
 * and would compile.
 *
 * @throws {StoreOpenError} when a commit would be acknowledged before it is on disk [LOG3, LOG8], or a newer
 *   Holdfast has changed the schema since the store was opened.
 */
export async function prepareConnection(client: pg.ClientBase, needs: ConnectionNeeds): Promise<void> {
  const { rows } = await client.query<Durability>(
    `SELECT
      set_config('synchronous_commit', current_setting('synchronous_commit'), false) AS "synchronousCommit",
      current_setting('fsync') AS "fsync",
      set_config('statement_timeout', $1, false),
      set_config('lock_timeout', $1, false),
      set_config('idle_in_transaction_session_timeout', $1, false),
      set_config('enable_sort', 'off', false),
      set_config('jit', 'off', false)`,
    [String(needs.statementLimitMs)],
  )
  for (const row of rows) refuseUnsynced(row)
  const meta = await client.query<{ version: number }>('SELECT schema_version AS version FROM holdfast.meta')
  const version = meta.rows[0]?.version
  if (version !== needs.schemaVersion) {
    throw new StoreOpenError(
      'newer-version',
      `has schema version ${version ?? 'unknown'} now, and this process knows ${needs.schemaVersion}: restart it with the newest Holdfast`,
    )
  }
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
