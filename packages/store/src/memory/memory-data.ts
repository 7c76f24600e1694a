import type { EntryOf, Lease, ListingState, RecordChange, Replica } from '@holdfast/conversation'

/** All that a memory store holds. It outlives the store, as a disk outlives a process. */
export interface MemoryData {
  readonly logs: Map<string, MemoryLog>
  readonly leases: Map<string, MemoryLease>
  /** By their ids. */
  readonly replicas: Map<string, MemoryReplica>
  /** By owner and hash, as `blobKey` makes it. */
  readonly blobs: Map<string, MemoryBlob>
  /** By upload id. */
  readonly uploads: Map<string, MemoryUpload>
  /** By owner, in the order of writing. */
  readonly usage: Map<string, EntryOf<'usage-recorded'>[]>
  /** By kind, owner and id, as `recordKey` makes it. */
  readonly records: Map<string, MemoryRecord>
  /** By the same key: the last change of each record, deleted ones included. */
  readonly changes: Map<string, RecordChange>
  lastChange: number
}

/** One conversation. What it holds is kept as JSON text, so that nobody can change it from outside. */
export interface MemoryLog {
  readonly ownerId: string
  /** The entry with `seq` n stands at index n - 1. */
  readonly entries: string[]
  readonly commands: Map<string, CarriedOut>
  readonly drafts: MemoryDraft[]
  /** `seq` of the last entry of the append that dropped a draft last; of what began before it nothing is kept. [SCALE21] */
  draftsAfter: number
  /** By the projection's name. */
  readonly snapshots: Map<string, { readonly cursor: number; readonly json: string }>
  /** By hash: how many times an entry names it. */
  readonly blobCounts: Map<string, number>
  listing: ListingState
}

/** Where the entries of a command stand. */
export interface CarriedOut {
  readonly fingerprint: string
  readonly fromSeq: number
  readonly toSeq: number
}

/** An open step. */
export interface MemoryDraft {
  readonly runId: string
  readonly stepId: string
  /** One delta each. */
  readonly deltas: string[]
}

/** A lease, also after it was given back: its epoch must never come again. */
export interface MemoryLease {
  readonly lease: Lease
  readonly released: boolean
}

/** A replica as it said of itself; the rest follows from the time and the leases. */
export type MemoryReplica = Omit<Replica, 'isAlive' | 'leaseCount'>

/** The bytes that one owner keeps once. */
export interface MemoryBlob {
  readonly ownerId: string
  readonly hash: string
  readonly mediaType: string
  readonly content: Uint8Array
  /** When it was last uploaded. */
  readonly uploadedAt: number
}

/** An upload, which may name the same bytes as another. */
export interface MemoryUpload {
  readonly ownerId: string
  readonly conversationId: string | null
  readonly hash: string
  readonly mediaType: string
  readonly at: number
  /** Whether an append has named it. */
  isUsed: boolean
}

/** A record. */
export interface MemoryRecord {
  readonly kind: string
  readonly ownerId: string
  readonly id: string
  readonly revision: number
  readonly change: number
  readonly updatedAt: number
  readonly json: string
}

/** The data of a store that nobody has written to. */
export function createMemoryData(): MemoryData {
  return {
    logs: new Map(),
    leases: new Map(),
    replicas: new Map(),
    blobs: new Map(),
    uploads: new Map(),
    usage: new Map(),
    records: new Map(),
    changes: new Map(),
    lastChange: 0,
  }
}
