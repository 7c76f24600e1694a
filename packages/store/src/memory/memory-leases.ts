import type { Lease, LeaseRequest, LeaseReturn } from '@holdfast/conversation'
import type { MemoryData } from './memory-data.ts'

/** The epoch of the lease, held or not; 0 before the first. [LOG10] */
export function currentEpoch(data: MemoryData, conversationId: string): number {
  return data.leases.get(conversationId)?.lease.epoch ?? 0
}

/** Whether a lease is over at the time `now`: by the beats of its holder, where that is a replica, else by its own time. [SCALE1] */
export function isLeaseOver(data: MemoryData, { holder, expiresAt }: Lease, now: number): boolean {
  const replica = data.replicas.get(holder)
  if (!replica) return expiresAt <= now
  return replica.expiresAt <= now || (replica.isDraining && expiresAt <= now)
}

/** The lease that a request gets at the time `now`; null when another holds it. What nobody else took is renewed however late. */
export function nextLease(data: MemoryData, request: LeaseRequest, now: number): Lease | null {
  const { conversationId, holder, ttlMs } = request
  const known = data.leases.get(conversationId)
  const isOwn = known !== undefined && !known.released && known.lease.holder === holder
  const isOthers = known !== undefined && !known.released && !isLeaseOver(data, known.lease, now) && !isOwn
  if (isOthers) return null
  const epoch = isOwn ? known.lease.epoch : currentEpoch(data, conversationId) + 1
  return { conversationId, holder, epoch, expiresAt: now + ttlMs }
}

/** Keeps a lease that `nextLease` gave. */
export function keepLease(data: MemoryData, lease: Lease): void {
  data.leases.set(lease.conversationId, { lease: { ...lease }, released: false })
}

/** Takes or renews a lease; null when another holds it at the time `now`. */
export function acquireLease(data: MemoryData, request: LeaseRequest, now: number): Lease | null {
  const lease = nextLease(data, request, now)
  if (lease) keepLease(data, lease)
  return lease
}

/** Gives a lease back, if it is still the present one; false where the log does not end at the head that is named. */
export function releaseLease(data: MemoryData, { conversationId, epoch, head }: LeaseReturn): boolean {
  if (head !== undefined && (data.logs.get(conversationId)?.entries.length ?? 0) !== head) return false
  const known = data.leases.get(conversationId)
  if (known?.lease.epoch === epoch) data.leases.set(conversationId, { ...known, released: true })
  return true
}

/** Ends every lease that is held at the time `now`. */
export function endLeases(data: MemoryData, now: number): void {
  for (const [conversationId, { lease, released }] of data.leases) {
    data.leases.set(conversationId, { lease: { ...lease, expiresAt: Math.min(lease.expiresAt, now) }, released })
  }
}

/** The leases that ran out at or before `now`, longest ago first. */
export function expiredLeases(data: MemoryData, now: number, limit: number): Lease[] {
  return [...data.leases.values()]
    .filter(({ lease, released }) => !released && isLeaseOver(data, lease, now))
    .map(({ lease }) => ({ ...lease }))
    .sort((a, b) => a.expiresAt - b.expiresAt)
    .slice(0, limit)
}
