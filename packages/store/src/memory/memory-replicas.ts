import {
  type BeatAnswer,
  GONE_REPLICA_MS,
  type Lease,
  type Replica,
  type ReplicaBeat,
  type ReplicaStore,
} from '@holdfast/conversation'
import type { DataAccess } from './data-access.ts'
import type { MemoryData, MemoryReplica } from './memory-data.ts'
import { isLeaseOver } from './memory-leases.ts'

/** The replicas over the same data as the leases that they hold. `now` is the time by which leases run out. [SCALE1] */
export function replicasOver({ read, write }: Pick<DataAccess, 'read' | 'write'>, now: () => number): ReplicaStore {
  return {
    beat: async (beat) => {
      const at = now()
      return write((data) => keepBeat(data, beat, at))
    },
    drain: async ({ replicaId, ttlMs }) => {
      const until = now() + ttlMs
      return write((data) => drain(data, replicaId, until))
    },
    leave: async (replicaId) => {
      const at = now()
      return write((data) => leave(data, replicaId, at))
    },
    listReplicas: async () => read((data) => listed(data, now())),
    leasesOf: async ({ replicaId, limit }) => read((data) => leasesOf(data, replicaId).slice(0, limit)),
  }
}

function keepBeat(data: MemoryData, { ttlMs, ...said }: ReplicaBeat, now: number): BeatAnswer {
  const { replicaId } = said
  const before = data.replicas.get(replicaId)
  const { startedAt, isDraining } = before ?? { startedAt: now, isDraining: false }
  data.replicas.set(replicaId, { ...said, startedAt, isDraining, beatAt: now, expiresAt: now + ttlMs })
  for (const other of data.replicas.values()) if (!isShown(data, other, now)) data.replicas.delete(other.replicaId)
  const isWorkLeft = [...data.leases.values()].some(
    ({ lease, released }) =>
      !released && lease.holder !== replicaId && data.replicas.has(lease.holder) && isLeaseOver(data, lease, now),
  )
  return { wasAlive: before !== undefined && before.expiresAt > now, isWorkLeft }
}

function drain(data: MemoryData, replicaId: string, until: number): void {
  const replica = data.replicas.get(replicaId)
  if (replica) data.replicas.set(replicaId, { ...replica, isDraining: true })
  for (const lease of leasesOf(data, replicaId))
    data.leases.set(lease.conversationId, { lease: { ...lease, expiresAt: until }, released: false })
}

function leave(data: MemoryData, replicaId: string, now: number): void {
  const replica = data.replicas.get(replicaId)
  if (!replica) return
  data.replicas.set(replicaId, { ...replica, isDraining: true, expiresAt: Math.min(replica.expiresAt, now) })
}

function listed(data: MemoryData, now: number): Replica[] {
  return [...data.replicas.values()]
    .filter((replica) => isShown(data, replica, now))
    .map((replica) => ({
      ...replica,
      isAlive: replica.expiresAt > now,
      leaseCount: leasesOf(data, replica.replicaId).length,
    }))
    .sort((a, b) => a.startedAt - b.startedAt || (a.replicaId < b.replicaId ? -1 : 1))
}

function isShown(data: MemoryData, { replicaId, expiresAt }: MemoryReplica, now: number): boolean {
  return expiresAt > now - GONE_REPLICA_MS || leasesOf(data, replicaId).length > 0
}

function leasesOf(data: MemoryData, replicaId: string): Lease[] {
  return [...data.leases.values()]
    .filter(({ lease, released }) => !released && lease.holder === replicaId)
    .map(({ lease }) => ({ ...lease }))
    .sort((a, b) => (a.conversationId < b.conversationId ? -1 : 1))
}
