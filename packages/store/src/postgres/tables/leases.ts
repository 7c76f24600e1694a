import type { Lease, LeaseRequest } from '@holdfast/conversation'
import type { Database, Sql } from '../connection/database.ts'

const COLUMNS = 'conversation_id AS "conversationId", holder, epoch, expires_at AS "expiresAt"'

/**
 * Decided by the server's clock in one statement, so that of replicas whose clocks differ only one holds.
 * A row that does not meet the condition is left as it is, and nothing is returned.
 */
const ACQUIRE = `
  INSERT INTO holdfast.leases AS held (conversation_id, holder, epoch, expires_at, is_released)
  VALUES ($1, $2, 1, holdfast.now_ms() + $3::bigint, false)
  ON CONFLICT (conversation_id) DO UPDATE SET
    epoch = CASE
      WHEN held.holder = $2 AND NOT held.is_released THEN held.epoch
      ELSE held.epoch + 1
    END,
    holder = $2, expires_at = holdfast.now_ms() + $3::bigint, is_released = false
  WHERE held.holder = $2 OR held.is_released OR held.expires_at <= holdfast.now_ms()
  RETURNING ${COLUMNS}`

const RELEASE = 'UPDATE holdfast.leases SET is_released = true WHERE conversation_id = $1 AND epoch = $2'

const END = 'UPDATE holdfast.leases SET expires_at = least(expires_at, holdfast.now_ms()) WHERE NOT is_released'

const EXPIRED = `
  SELECT ${COLUMNS} FROM holdfast.leases
  WHERE NOT is_released AND expires_at <= holdfast.now_ms()
  ORDER BY expires_at LIMIT $1`

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

/** Gives a lease back, if it is still the present one. */
export async function releaseLease(
  database: Database,
  { conversationId, epoch }: Pick<Lease, 'conversationId' | 'epoch'>,
): Promise<void> {
  await database.writeOnce(RELEASE, [conversationId, epoch])
}

/** Ends every lease that is held, of whatever process. */
export async function endLeases(database: Database): Promise<void> {
  await database.writeOnce(END, [])
}

/** The leases that ran out without being given back, longest ago first. */
export async function expiredLeases(database: Database, limit: number): Promise<readonly Lease[]> {
  return database.read((sql) => sql<Lease>(EXPIRED, [limit]))
}
