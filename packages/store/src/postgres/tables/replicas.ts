import { type BeatAnswer, GONE_REPLICA_MS, type Lease, type Replica, type ReplicaStore } from '@holdfast/conversation'
import { outdated } from '../connection/connection-settings.ts'
import type { Database } from '../connection/database.ts'

/** The moment of the question, by the server's clock. */
const ASKED = 'asked AS MATERIALIZED (SELECT holdfast.now_ms() AS at)'

/**
 * All that a replica asks in a second. Leases that wait are looked for by their holders: of those who are alive and do not
 * drain, which are nearly all, none is read. What is long gone, and holds nothing, is forgotten. One whose version cannot go
 * on beside the schema is not taken: the others have what it holds then. [SCALE30]
 */
const BEAT = `
  WITH asked AS MATERIALIZED (
    SELECT holdfast.now_ms() AS at FROM holdfast.meta WHERE oldest_version <= $8::integer
  ), before AS (
    SELECT replica.expires_at > asked.at AS was_alive
    FROM holdfast.replicas replica, asked WHERE replica.replica_id = $1
  ), beaten AS (
    INSERT INTO holdfast.replicas AS known
      (replica_id, host, pid, version, url, started_at, beat_at, expires_at, is_draining)
    SELECT $1, $2, $3::integer, $4, $5, asked.at, asked.at, asked.at + $6::bigint, false FROM asked
    ON CONFLICT (replica_id) DO UPDATE
      SET url = excluded.url, beat_at = excluded.beat_at, expires_at = excluded.expires_at
  ), forgotten AS (
    DELETE FROM holdfast.replicas gone USING asked
    WHERE gone.replica_id <> $1 AND gone.expires_at <= asked.at - $7::bigint
      AND NOT EXISTS (SELECT 1 FROM holdfast.leases WHERE holder = gone.replica_id AND NOT is_released)
  )
  SELECT EXISTS (SELECT 1 FROM asked) AS "isTaken", coalesce((SELECT was_alive FROM before), false) AS "wasAlive",
    EXISTS (
      SELECT 1 FROM asked, holdfast.replicas other
      JOIN holdfast.leases held ON held.holder = other.replica_id AND NOT held.is_released
      WHERE other.replica_id <> $1
        AND (other.expires_at <= asked.at OR (other.is_draining AND held.expires_at <= asked.at))
    ) AS "isWorkLeft"`

const DRAIN = `
  WITH draining AS (
    UPDATE holdfast.replicas SET is_draining = true WHERE replica_id = $1
  )
  UPDATE holdfast.leases SET expires_at = holdfast.now_ms() + $2::bigint WHERE holder = $1 AND NOT is_released`

const LEAVE =
  'UPDATE holdfast.replicas SET is_draining = true, expires_at = least(expires_at, holdfast.now_ms()) WHERE replica_id = $1'

const LIST = `
  WITH ${ASKED}
  SELECT replica_id AS "replicaId", host, pid, version, url, started_at AS "startedAt", beat_at AS "beatAt",
    expires_at AS "expiresAt", expires_at > asked.at AS "isAlive", is_draining AS "isDraining",
    (SELECT count(*) FROM holdfast.leases held WHERE held.holder = replica.replica_id AND NOT held.is_released)
      AS "leaseCount"
  FROM holdfast.replicas replica, asked
  WHERE expires_at > asked.at - $1::bigint
    OR EXISTS (SELECT 1 FROM holdfast.leases held WHERE held.holder = replica.replica_id AND NOT held.is_released)
  ORDER BY started_at, replica_id`

const LEASES = `
  SELECT conversation_id AS "conversationId", holder, epoch, expires_at AS "expiresAt" FROM holdfast.leases
  WHERE holder = $1 AND NOT is_released ORDER BY conversation_id LIMIT $2`

/**
 * The replicas of a database. They beat on a connection of their own: where all others are in use, or wait, a replica is busy
 * and not gone. [SCALE1]
 */
export function createReplicas({
  own,
  shared,
  schemaVersion,
}: {
  readonly own: Database
  readonly shared: Database
  /** The version of the schema that this process knows. */
  readonly schemaVersion: number
}): ReplicaStore {
  return {
    async beat({ replicaId, host, pid, version, url, ttlMs }) {
      const values = [replicaId, host, pid, version, url, ttlMs, GONE_REPLICA_MS, schemaVersion]
      const [answer] = await own.writeOnce<BeatAnswer & { isTaken: boolean } & Record<string, unknown>>(BEAT, values)
      if (!answer) throw new Error('The server answered a beat with nothing')
      if (!answer.isTaken) throw outdated(schemaVersion)
      return { wasAlive: answer.wasAlive, isWorkLeft: answer.isWorkLeft }
    },
    async drain({ replicaId, ttlMs }) {
      await own.writeOnce(DRAIN, [replicaId, ttlMs])
    },
    async leave(replicaId) {
      await own.writeOnce(LEAVE, [replicaId])
    },
    listReplicas: () => shared.read((sql) => sql<Replica & Record<string, unknown>>(LIST, [GONE_REPLICA_MS])),
    leasesOf: ({ replicaId, limit }) =>
      shared.read((sql) => sql<Lease & Record<string, unknown>>(LEASES, [replicaId, limit])),
  }
}
