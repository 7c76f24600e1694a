import type {
  Clock,
  Entry,
  EntryStore,
  Lease,
  Random,
  Records,
  Replica,
  ReplicaStore,
  StoreWriteFailure,
} from '@holdfast/conversation'

/** The machine on which the store lives. Its disk and its process fail as they are told. */
export interface SimulatedMachine {
  readonly store: EntryStore
  readonly records: Records
  readonly replicas: ReplicaStore
  /** What is durable, seen from outside: it neither waits nor fails. */
  readonly durable: DurableLook
  /** False once a crash has ended the store's process. */
  isRunning(): boolean
  /** Ends the store's process as a power failure does. */
  crash(): void
  /** Opens what survived. The handles of before stay closed. */
  restart(): SimulatedMachine
}

/** A look at what would survive a crash now. */
export interface DurableLook {
  /** `seq` of the last entry; 0 for a log that does not exist. */
  head(conversationId: string): number
  /** The entries after a place, oldest first. */
  entries(conversationId: string, after: number): readonly Entry[]
  /** Leases that are held at this time and were not given back. */
  heldLeases(nowMs: number): readonly Lease[]
  /** The lease of a conversation, also where it ran out or was given back; null before the first. */
  lease(conversationId: string): { readonly lease: Lease; readonly released: boolean } | null
  /** The row of a replica; null for one that never beat, or was forgotten. */
  replica(replicaId: string): Pick<Replica, 'expiresAt' | 'isDraining'> | null
}

/** What may happen to an operation of the store at one of its failpoints. */
export type MachineFailure =
  | { readonly type: 'refuse'; readonly code: StoreWriteFailure }
  | { readonly type: 'wait'; readonly delayMs: number }
  | { readonly type: 'crash' }

/** A bug of the store that is put there on purpose. */
export type MachineDefect =
  | 'acknowledges-before-sync'
  | 'remembers-commands-in-memory'
  | 'acknowledges-without-writing'
  | 'takes-over-under-the-same-epoch'

/** What a machine is given by its world. */
export interface MachineParts {
  readonly clock: Clock
  readonly random: Random
  /** Asked at every failpoint. */
  readonly failureAt: () => MachineFailure | null
  readonly defect: MachineDefect | null
}
