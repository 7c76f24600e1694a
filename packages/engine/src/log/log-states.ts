import {
  type Entry,
  type EntryStore,
  entriesAfter,
  type Overview,
  overview,
  type Projection,
  type Snapshot,
  type SnapshotStore,
  StoreWriteError,
} from '@holdfast/conversation'
import { LIMITS } from '../api/ports.ts'
import { type RequestState, requestState } from './request-state.ts'

/** Where logs and their snapshots are kept. */
export type LogStore = Pick<EntryStore, 'read'> & SnapshotStore

/** The projections of a live log at its head. */
export interface LogStates {
  readonly state: Overview
  readonly requests: RequestState
}

const PAGE = 500

/** A log as it was opened. */
export interface OpenedStates extends LogStates {
  /** Where its snapshots stand. */
  readonly cursor: number
  /** Why nearer ones could not be kept; null where they were, or were near. */
  readonly notKept: StoreWriteError | null
  /** The last page that was read for them: it ends where the log does, and is empty where a snapshot stands there. */
  readonly tail: readonly Entry[]
}

/** The states of a log at its head, each from its snapshot and what follows it. [PRJ2] */
export async function openStates(store: LogStore, conversationId: string): Promise<OpenedStates> {
  const snapshots = await store.readSnapshots(conversationId)
  const first = fromSnapshot(overview, snapshots)
  const second = fromSnapshot(requestState, snapshots)
  const cursor = Math.min(first.cursor, second.cursor)
  let tail: readonly Entry[] = []
  await foldTail(store, { conversationId, after: cursor }, (entries) => {
    first.fold(entries)
    second.fold(entries)
    tail = entries
  })
  const opened = { state: first.state(), requests: second.state(), tail }
  if (opened.state.head - cursor < LIMITS.snapshotEvery) return { ...opened, cursor, notKept: null }
  const notKept = await keepStates(store, conversationId, opened)
  return { ...opened, cursor: opened.state.head, notKept }
}

/** The overview of a log at its head. [PRJ2] */
export async function readOverview(store: LogStore, conversationId: string): Promise<{ readonly state: Overview }> {
  const folding = fromSnapshot(overview, await store.readSnapshots(conversationId))
  await foldTail(store, { conversationId, after: folding.cursor }, folding.fold)
  const state = folding.state()
  if (state.head - folding.cursor >= LIMITS.snapshotEvery) {
    const { name: projection, version } = overview
    // Who reads needs none; who appends says that none can be kept.
    await keepSnapshots(store, conversationId, [{ projection, version, cursor: state.head, state }])
  }
  return { state }
}

/**
 * One projection of a log at its head, for who asks seldom. [PRJ2]
 *
 * @returns null where more than `mostEntries` would have to be read: the snapshot has come nearer by as many.
 */
export async function readProjection<State>(
  store: LogStore,
  projection: Projection<State>,
  { conversationId, mostEntries }: { readonly conversationId: string; readonly mostEntries: number },
): Promise<{ readonly state: State | null; readonly entryCount: number }> {
  const folding = fromSnapshot(projection, await store.readSnapshots(conversationId))
  let cursor = folding.cursor
  let isWhole = false
  for await (const { entries, head } of entriesAfter(store, { conversationId, after: cursor, pageEntries: PAGE })) {
    folding.fold(entries)
    cursor = entries.at(-1)?.seq ?? cursor
    isWhole = cursor >= head
    if (cursor - folding.cursor >= mostEntries) break
  }
  const entryCount = cursor - folding.cursor
  if (entryCount >= LIMITS.snapshotEvery) {
    const { name, version } = projection
    await keepSnapshots(store, conversationId, [{ projection: name, version, cursor, state: folding.state() }])
  }
  return { state: isWhole ? folding.state() : null, entryCount }
}

/** Keeps the states as snapshots at the log's head. @returns why they could not be kept; null where they were. */
export function keepStates(
  store: SnapshotStore,
  conversationId: string,
  { state, requests }: LogStates,
): Promise<StoreWriteError | null> {
  const cursor = state.head
  return keepSnapshots(store, conversationId, [
    { projection: overview.name, version: overview.version, cursor, state },
    { projection: requestState.name, version: requestState.version, cursor, state: requests },
  ])
}

/** Snapshots are a cache: one that cannot be written refuses nothing. [PRJ2] */
async function keepSnapshots(
  store: SnapshotStore,
  conversationId: string,
  snapshots: readonly Snapshot[],
): Promise<StoreWriteError | null> {
  try {
    await store.writeSnapshots(conversationId, snapshots)
    return null
  } catch (error) {
    if (error instanceof StoreWriteError) return error
    throw error
  }
}

interface Folding<State> {
  /** Where the snapshot stands; 0 where there is none. */
  readonly cursor: number
  /** Folds the entries that the state does not hold yet. */
  readonly fold: (entries: readonly Entry[]) => void
  readonly state: () => State
}

function fromSnapshot<State>(projection: Projection<State>, snapshots: readonly Snapshot[]): Folding<State> {
  const usable = snapshots.find(({ projection: name, version }) => {
    return name === projection.name && version === projection.version
  })
  const cursor = usable?.cursor ?? 0
  let state = usable ? (usable.state as State) : projection.initial
  return {
    cursor,
    fold(entries) {
      state = projection.reduce(
        state,
        entries.filter(({ seq }) => seq > cursor),
      )
    },
    state: () => state,
  }
}

async function foldTail(
  store: Pick<EntryStore, 'read'>,
  { conversationId, after }: { readonly conversationId: string; readonly after: number },
  fold: (entries: readonly Entry[]) => void,
): Promise<void> {
  for await (const { entries } of entriesAfter(store, { conversationId, after, pageEntries: PAGE })) fold(entries)
}
