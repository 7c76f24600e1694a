import {
  type Append,
  type Appended,
  type Clock,
  CommandReusedError,
  type Entry,
  type EntryStore,
  type Lease,
  MAX_PAGE_ENTRIES,
  placeEntry,
  type Random,
  type Records,
  type Replica,
  type ReplicaStore,
} from '@holdfast/conversation'
import type { DataAccess } from '../memory/data-access.ts'
import type { MemoryLease } from '../memory/memory-data.ts'
import { acquireLease, isLeaseOver, keepLease } from '../memory/memory-leases.ts'
import { readPage } from '../memory/memory-log.ts'
import { replicasOver } from '../memory/memory-replicas.ts'
import { entryStoreOver, recordsOver } from '../memory/store-over-data.ts'
import { createLeaseTime } from '../shared/lease-time.ts'
import type { Failures, FaultCounts, Passage } from './failures.ts'
import { createSimulatedDisk, type SimulatedDisk } from './simulated-disk.ts'
import { createSimulatedProcess } from './simulated-process.ts'

/** A store whose disk and process fail as they are told. */
export interface SimulatedStore {
  readonly store: EntryStore
  readonly records: Records
  readonly replicas: ReplicaStore
  /** What is durable, seen from outside: it neither waits nor fails. */
  readonly durable: DurableLook
  /** Ends the process as kill -9 and a power failure do: what was not synced is lost, what is in flight is refused. */
  crash(): void
  /** False once a crash has ended the process, or it was closed. */
  isRunning(): boolean
  /** Opens what survived, in a new process. The handles of the old one stay closed. */
  restart(): SimulatedStore
  /** The faults so far, over all restarts. */
  faults(): FaultCounts
}

/** A look at what would survive a crash now. */
export interface DurableLook {
  /** `seq` of the last entry; 0 for a log that does not exist. */
  head(conversationId: string): number
  /** The entries after a place, oldest first. */
  entries(conversationId: string, after: number): readonly Entry[]
  /** Leases that are held at this time, in milliseconds since the Unix epoch, and were not given back. */
  heldLeases(nowMs: number): readonly Lease[]
  /** The lease of a conversation, also where it ran out or was given back; null before the first. */
  lease(conversationId: string): MemoryLease | null
  /** The row of a replica; null for one that never beat, or was forgotten. */
  replica(replicaId: string): Pick<Replica, 'expiresAt' | 'isDraining'> | null
}

/** A defect put there on purpose, to see that a check finds it. */
export type PlantedDefect =
  | 'acknowledges-before-sync'
  | 'remembers-commands-in-memory'
  | 'acknowledges-without-writing'
  | 'takes-over-under-the-same-epoch'

/** What a simulated store is made of. */
export interface SimulatedStoreOptions {
  readonly clock: Clock
  readonly random: Random
  readonly failures: Failures
  readonly defect?: PlantedDefect
}

/**
 * The memory store behind failpoints and an unreliable disk, for simulations. It answers when the clock
 * moves: a write is durable a few milliseconds after it was made, together with others. [LOG2, LOG8]
 */
export function createSimulatedStore(options: SimulatedStoreOptions): SimulatedStore {
  return startProcess({
    ...options,
    disk: createSimulatedDisk(),
    counts: { operations: 0, refused: 0, delayed: 0, crashes: 0, lossyCrashes: 0, tornTails: 0, lostWrites: 0 },
  })
}

/** What outlives a process. */
interface Machine extends SimulatedStoreOptions {
  readonly disk: SimulatedDisk
  readonly counts: { -readonly [Kind in keyof FaultCounts]: number } & { operations: number }
}

function startProcess(machine: Machine): SimulatedStore {
  const { clock, disk, counts, defect } = machine
  let running = true

  function crash(): void {
    if (!running) return
    running = false
    access.kill()
    const { lost, survived } = disk.crash(machine.random)
    counts.crashes += 1
    counts.lostWrites += lost
    if (lost > 0) counts.lossyCrashes += 1
    if (lost > 0 && survived > 0) counts.tornTails += 1
  }

  const access = createSimulatedProcess({
    clock,
    disk,
    nextOperation: () => ++counts.operations,
    failureAt: (passage) => counted(machine, passage),
    crashed: crash,
    acknowledgesBeforeSync: defect === 'acknowledges-before-sync',
  })
  const store = entryStoreOver(access, clock)

  return {
    store: {
      ...store,
      append: withDefect(store, machine),
      acquireLease: defect === 'takes-over-under-the-same-epoch' ? takingOver(access, clock) : store.acquireLease,
      close: async () => {
        await store.close()
        running = false
      },
    },
    records: recordsOver(access),
    replicas: replicasOver(access, createLeaseTime(clock)),
    durable: durableLook(disk),
    crash,
    isRunning: () => running,
    restart() {
      crash()
      return startProcess(machine)
    },
    faults: () => {
      const { operations: _, ...faults } = counts
      return faults
    },
  }
}

function durableLook({ durable }: SimulatedDisk): DurableLook {
  return {
    head: (conversationId) => durable.logs.get(conversationId)?.entries.length ?? 0,
    entries(conversationId, after) {
      const entries: Entry[] = []
      for (;;) {
        const page = readPage(durable, { conversationId, after: after + entries.length, limit: MAX_PAGE_ENTRIES })
        entries.push(...page.entries)
        if (page.entries.length < MAX_PAGE_ENTRIES) return entries
      }
    },
    heldLeases: (nowMs) =>
      [...durable.leases.values()]
        .filter(({ lease, released }) => !released && !isLeaseOver(durable, lease, nowMs))
        .map(({ lease }) => ({ ...lease })),
    lease: (conversationId) => durable.leases.get(conversationId) ?? null,
    replica: (replicaId) => durable.replicas.get(replicaId) ?? null,
  }
}

function counted({ failures, counts }: Machine, passage: Passage) {
  const failure = failures.at(passage)
  if (failure?.type === 'refuse') counts.refused += 1
  if (failure?.type === 'wait') counts.delayed += 1
  return failure
}

/** How the store appends; differently only where a defect was planted. */
function withDefect({ append }: EntryStore, { defect, random }: Machine): EntryStore['append'] {
  if (defect === undefined) return append
  switch (defect) {
    case 'acknowledges-before-sync':
    case 'takes-over-under-the-same-epoch':
      return append
    case 'remembers-commands-in-memory':
      return rememberingInMemory(append)
    case 'acknowledges-without-writing':
      return async (request) => (random.next() < 0.1 ? answerOnly(request) : append(request))
  }
}

/** Forgets with the process which commands were carried out. */
function rememberingInMemory(append: EntryStore['append']): EntryStore['append'] {
  const carriedOut = new Map<string, { readonly fingerprint: string; readonly appended: Appended }>()
  return async ({ command, ...request }) => {
    if (!command) return append(request)
    const key = JSON.stringify([request.conversationId, command.commandId])
    const known = carriedOut.get(key)
    if (known && known.fingerprint !== command.fingerprint) {
      throw new CommandReusedError(request.conversationId, command.commandId)
    }
    if (known) return { ...known.appended, repeated: true }
    const nothing = { entries: [], repeated: false }
    const appended = request.entries.length === 0 ? nothing : await append(request)
    carriedOut.set(key, { fingerprint: command.fingerprint, appended })
    return appended
  }
}

/** Gives what ran out to another as if it had been its own all the time. */
function takingOver(access: DataAccess, clock: Clock): EntryStore['acquireLease'] {
  const leaseTime = createLeaseTime(clock)
  return async (request) => {
    const now = leaseTime()
    return access.write((data) => {
      const known = data.leases.get(request.conversationId)
      const lease = acquireLease(data, request, now)
      if (!lease || !known || known.released) return lease
      const kept = { ...lease, epoch: known.lease.epoch }
      keepLease(data, kept)
      return kept
    })
  }
}

function answerOnly({ conversationId, after, at, times, entries }: Append): Appended {
  return {
    entries: entries.map((entry, index) =>
      placeEntry(entry, { conversationId, seq: after + index + 1, at: times?.[index] ?? at }),
    ),
    repeated: false,
  }
}
