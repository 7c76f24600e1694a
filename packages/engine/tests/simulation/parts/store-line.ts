import {
  type Append,
  type Appended,
  type EntryStore,
  type Records,
  type ReplicaStore,
  StoreWriteError,
} from '@holdfast/conversation'
import type { Chance } from './chance.ts'
import type { Scheduler, SimulatedProcess } from './scheduler.ts'
import type { SimulatedMachine } from './simulated-machine.ts'

/** What the world is told of the appends of a replica. */
export interface AppendWitness {
  /** The store has said yes, and the replica is about to hear it. */
  onAppended(append: Append, appended: Appended): void
}

/** The line between a replica and the machine of the store. */
export interface StoreLine {
  readonly store: EntryStore
  readonly records: Records
  readonly replicas: ReplicaStore
}

/** One in so many is refused in a rough time. */
const REFUSED_SETTLEMENTS = 7
const REFUSED_SNAPSHOTS = 2

/** So long a replica waits at most for a store that it cannot reach, in milliseconds. */
const PATIENCE_MS = 5_000

/**
 * Lets a replica reach the store over a line: calls overtake each other on the way, answers come when chance says,
 * and a replica that dies hears nothing any more, whatever became of what it asked. Of one that is cut off a call is lost, or its
 * answer; or it comes when who asked has given up.
 */
export function createStoreLine(parts: {
  readonly machine: () => SimulatedMachine
  readonly scheduler: Scheduler
  readonly chance: Chance
  readonly process: SimulatedProcess
  readonly witness: AppendWitness
  /** Whether the line may refuse what is asked. */
  readonly isRough: () => boolean
  /** Told of a call that the line has lost. */
  readonly onLost: () => void
}): StoreLine {
  const { machine, scheduler, chance, process, witness, isRough, onLost } = parts
  let settlements = 0
  let snapshots = 0

  /** A settlement beside a call that still runs is rare, and so is a snapshot: what becomes of their refusal is seen by counting. */
  function refuse(count: number, every: number, what: string): void {
    if (isRough() && count % every === 0) throw new StoreWriteError('busy', `The line refuses ${what} ${count}`)
  }

  /** One call: some are slow to leave, and every answer takes its own time. */
  async function over<Answer>(label: string, call: () => Promise<Answer>): Promise<Answer> {
    if (chance.happens(0.3)) await scheduler.hop(process, `sends ${label}`)
    if (isCut()) return lost(label, call)
    try {
      return await call()
    } finally {
      await scheduler.hop(process, `hears of ${label}`)
      if (isCut()) await unreachable(label)
    }
  }

  function isCut(): boolean {
    return process.cutFrom === 'store' || process.cutFrom === 'both'
  }

  /** What was on its way when the line broke may still come. */
  async function lost(label: string, call: () => Promise<unknown>): Promise<never> {
    const sentAgain = chance.happens(0.2)
      ? scheduler.hopAfter(process, chance.below(2 * PATIENCE_MS), 'sends late')
      : null
    sentAgain?.then(() => (isCut() ? undefined : call())).catch(() => {})
    return unreachable(label)
  }

  async function unreachable(label: string): Promise<never> {
    onLost()
    await scheduler.hopAfter(process, chance.below(PATIENCE_MS), `gives up ${label}`)
    throw new StoreWriteError('unreachable', `The line of ${process.name} is cut: no answer to ${label}`)
  }

  const store = (): EntryStore => machine().store
  const records = (): Records => machine().records
  const replicas = (): ReplicaStore => machine().replicas
  return {
    store: {
      append: async (append) => {
        const given = structuredClone(append)
        if (given.entries.some(({ type }) => type === 'tool-call-settled'))
          refuse(++settlements, REFUSED_SETTLEMENTS, 'settlement')
        const types = given.entries.map(({ type }) => type).join(', ')
        const appended = await over(`append of ${types}`, () => store().append(given))
        witness.onAppended(given, appended)
        return appended
      },
      read: (query) => over('read', () => store().read(query)),
      readText: (query) => over('read', () => store().readText(query)),
      appendDrafts: (chunks) => {
        const given = structuredClone(chunks)
        return over('drafts', () => store().appendDrafts(given))
      },
      readDrafts: (conversationId) => over('read of drafts', () => store().readDrafts(conversationId)),
      writeSnapshots: async (conversationId, written) => {
        refuse(++snapshots, REFUSED_SNAPSHOTS, 'snapshot')
        const given = structuredClone(written)
        return over('snapshots', () => store().writeSnapshots(conversationId, given))
      },
      readSnapshots: (conversationId) => over('read of snapshots', () => store().readSnapshots(conversationId)),
      acquireLease: (request) => over('lease', () => store().acquireLease(request)),
      releaseLease: (lease) => over('release of the lease', () => store().releaseLease(lease)),
      endLeases: () => over('end of leases', () => store().endLeases()),
      expiredLeases: (limit) => over('expired leases', () => store().expiredLeases(limit)),
      putBlob: (upload) => over('blob', () => store().putBlob(upload)),
      readBlob: (address) => over('read of a blob', () => store().readBlob(address)),
      storedBytes: (ownerId) => over('stored bytes', () => store().storedBytes(ownerId)),
      collectBlobs: (before) => over('collection of blobs', () => store().collectBlobs(before)),
      listConversations: (query) => over('list', () => store().listConversations(query)),
      readListing: (conversationId) => over('row of the list', () => store().readListing(conversationId)),
      search: (request) => over('search', () => store().search(request)),
      reindex: (conversationId) => over('index', () => store().reindex(conversationId)),
      readUsage: (query) => over('usage', () => store().readUsage(query)),
      erase: (erasure) => over('erasure', () => store().erase(erasure)),
      deleteConversation: (conversationId, at) =>
        over('deletion', () => store().deleteConversation(conversationId, at)),
      check: (signal) => over('check', () => store().check(signal)),
      readableEntries: (conversationId) => store().readableEntries(conversationId),
      backup: (file, signal) => over('backup', () => store().backup(file, signal)),
      close: async () => {},
    },
    records: {
      put: (kind, write) => over('record', () => records().put(kind, write)),
      putTogether: (writes) => over('records together', () => records().putTogether(writes)),
      get: (kind, key) => over('read of a record', () => records().get(kind, key)),
      list: (kind, query) => over('records', () => records().list(kind, query)),
      remove: (kind, key) => over('removal of a record', () => records().remove(kind, key)),
      changes: (after, limit) => over('changes', () => records().changes(after, limit)),
    },
    replicas: {
      beat: (beat) => over('beat', () => replicas().beat(beat)),
      drain: (request) => over('drain', () => replicas().drain(request)),
      leave: (replicaId) => over('leave', () => replicas().leave(replicaId)),
      listReplicas: () => over('list of replicas', () => replicas().listReplicas()),
      leasesOf: (query) => over('leases of a replica', () => replicas().leasesOf(query)),
    },
  }
}
