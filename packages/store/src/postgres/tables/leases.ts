import type { Lease, LeaseRequest, LeaseReturn } from '@holdfast/conversation'
import type { Database, Sql } from '../connection/database.ts'

const COLUMNS = 'conversation_id AS "conversationId", holder, epoch, expires_at AS "expiresAt"'

/** The moment of the question: a beat that came while the statement waited for a lock must not look late. A lease's own time is looked at when it is decided. */
const ASKED = 'asked AS MATERIALIZED (SELECT holdfast.now_ms() AS at)'

/**
 * Whether the lease `held` is over: its replica beats no more; or it drains, or is none of ours, and the lease's own time has
 * passed. [SCALE1]
 */
const IS_OVER = `coalesce(
  (SELECT replica.expires_at <= asked.at OR (replica.is_draining AND held.expires_at <= holdfast.now_ms())
    FROM holdfast.replicas replica, asked WHERE replica.replica_id = held.holder),
  held.expires_at <= holdfast.now_ms())`

/**
 * Decided by the server's clock in one statement, so that of replicas whose clocks differ only one holds.
 * A row that does not meet the condition is left as it is, and nothing is returned.
 */
const ACQUIRE = `
  WITH ${ASKED}
  INSERT INTO holdfast.leases AS held (conversation_id, holder, epoch, expires_at, is_released)
  VALUES ($1, $2, 1, (SELECT at FROM asked) + $3::bigint, false)
  ON CONFLICT (conversation_id) DO UPDATE SET
    epoch = CASE
      WHEN held.holder = $2 AND NOT held.is_released THEN held.epoch
      ELSE held.epoch + 1
    END,
    holder = $2, expires_at = excluded.expires_at, is_released = false
  WHERE held.holder = $2 OR held.is_released OR ${IS_OVER}
  RETURNING ${COLUMNS}`

const RELEASE = 'UPDATE holdfast.leases SET is_released = true WHERE conversation_id = $1 AND epoch = $2'

/** The row of the log comes first, as in an append: one that is being written is waited for, and its head is seen. [SCALE24] */
const RELEASE_AT = `
  WITH log AS MATERIALIZED (SELECT head FROM holdfast.conversations WHERE conversation_id = $1 FOR NO KEY UPDATE),
  released AS (
    UPDATE holdfast.leases SET is_released = true
    WHERE conversation_id = $1 AND epoch = $2 AND coalesce((SELECT head FROM log), 0) = $3
  )
  SELECT coalesce((SELECT head FROM log), 0) = $3 AS "isAtHead"`

const END = 'UPDATE holdfast.leases SET expires_at = least(expires_at, holdfast.now_ms()) WHERE NOT is_released'

/** In another order each time: replicas that look at the same moment begin with different ones. [SCALE3] */
const EXPIRED = `
  WITH ${ASKED}
  SELECT ${COLUMNS} FROM holdfast.leases held
  WHERE NOT is_released AND ${IS_OVER}
  ORDER BY random() LIMIT $1`

/** Takes or renews a lease; null when another holds it. What nobody else took is renewed however late. [LOG10] */
export async function acquireLease(
  database: Database,
  { conversationId, holder, ttlMs }: LeaseRequest,
): Promise<Lease | null> {
  const rows = await database.writeOnce<Lease>(ACQUIRE, [conversationId, holder, ttlMs])
  return rows[0] ?? null
}

/** Takes or renews a lease in a transaction, which another that asks for it waits for. [LOG23] */
export async function acquireLeaseWithin(
  sql: Sql,
  { conversationId, holder, ttlMs }: LeaseRequest,
): Promise<Lease | null> {
  const rows = await sql<Lease>(ACQUIRE, [conversationId, holder, ttlMs])
  return rows[0] ?? null
}

/** Gives a lease back in a transaction, if it is still the present one. [LOG23] */
export async function releaseLeaseWithin(
  sql: Sql,
  { conversationId, epoch }: Pick<Lease, 'conversationId' | 'epoch'>,
): Promise<void> {
  await sql(RELEASE, [conversationId, epoch])
}

/** Gives a lease back, if it is still the present one; false where the log does not end at the head that is named. */
export async function releaseLease(database: Database, { conversationId, epoch, head }: LeaseReturn): Promise<boolean> {
  if (head === undefined) {
    await database.writeOnce(RELEASE, [conversationId, epoch])
    return true
  }
  const rows = await database.writeOnce<{ isAtHead: boolean }>(RELEASE_AT, [conversationId, epoch, head])
  return rows[0]?.isAtHead ?? false
}

/** Ends every lease that is held, of whatever process. */
export async function endLeases(database: Database): Promise<void> {
  await database.writeOnce(END, [])
}

/** The leases that ran out without being given back, in any order. */
export async function expiredLeases(database: Database, limit: number): Promise<readonly Lease[]> {
  return database.read((sql) => sql<Lease>(EXPIRED, [limit]))
}
