import type { Lease } from './lease-store.ts'

/** What a replica says of itself with each beat. */
export interface ReplicaBeat {
  /** The `holder` of its leases; another one after every start. */
  readonly replicaId: string
  /** The name of its machine. */
  readonly host: string
  readonly pid: number
  /** Of the program. */
  readonly version: string
  /** Where it listens itself; null while it does not, and where it shares an address with others. */
  readonly url: string | null
  /** How long the replica counts as alive without another beat, in milliseconds. */
  readonly ttlMs: number
}

/** One process of several on one store. Times are milliseconds since the Unix epoch, by the store's clock. */
export interface Replica extends Omit<ReplicaBeat, 'ttlMs'> {
  /** When it beat first. */
  readonly startedAt: number
  readonly beatAt: number
  /** When it counts as gone without another beat. */
  readonly expiresAt: number
  readonly isAlive: boolean
  /** Whether it takes nothing new, and hands over what it has. */
  readonly isDraining: boolean
  /** How many conversations it holds the leases of. */
  readonly leaseCount: number
}

/** What a beat found. */
export interface BeatAnswer {
  /** Whether the replica counted as alive up to this beat; false for its first one. Where it did not, leases may have been taken. */
  readonly wasAlive: boolean
  /** Whether a lease waits to be taken over from another replica that is gone, or hands over. */
  readonly isWorkLeft: boolean
}

/**
 * The replicas on one store. A replica renews no lease: each of them holds for as long as its holder counts as alive.
 * `describeReplicas` is the contract as tests. [SCALE1]
 */
export interface ReplicaStore {
  /**
   * Says that a replica is alive, and makes it known with the first beat. It must not wait for the other work of the process:
   * the replica would count as gone where it is only busy. One that comes back late has all leases that nobody took meanwhile.
   */
  beat(beat: ReplicaBeat): Promise<BeatAnswer>

  /** Marks a replica as draining: from now on its leases hold for their own time, those that it has for `ttlMs` from here. [SCALE6] */
  drain(request: { readonly replicaId: string; readonly ttlMs: number }): Promise<void>

  /** Says that a replica is gone: what it still holds may be taken at once. */
  leave(replicaId: string): Promise<void>

  /** All that are alive, and those that went within the last hour or whose leases nobody has taken; by the time of their start. */
  listReplicas(): Promise<readonly Replica[]>

  /** The leases that a replica holds, by conversation. */
  leasesOf(query: { readonly replicaId: string; readonly limit: number }): Promise<readonly Lease[]>
}

/** A replica that is gone stays in the list for so long, in milliseconds. */
export const GONE_REPLICA_MS = 3_600_000
