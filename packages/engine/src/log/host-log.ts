import {
  type Append,
  AppendConflictError,
  type Appended,
  BEYOND_ALL_LOGS,
  CommandReusedError,
  createTurns,
  type Entry,
  entriesAfter,
  type LeaseClaim,
  MalformedEntryError,
  MissingBlobError,
  type NewEntry,
  type Overview,
  overview,
  placeEntry,
  StaleEpochError,
  StoreWriteError,
} from '@holdfast/conversation'
import { type EnginePorts, LIMITS } from '../api/ports.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import { createKeptEnd } from './kept-end.ts'
import type { AppendOptions, AppendResult, LiveLog } from './live-log.ts'
import { keepStates, openStates } from './log-states.ts'
import { requestState } from './request-state.ts'
import { createSizing } from './size-of.ts'
import { NotWrittenError, type StagedAppend, type StagedLog, stageOn } from './staged-log.ts'

/** The log of a host. */
export interface HostLog extends LiveLog {
  /**
   * Reads what others have written since, and keeps the end of the log until `letGo`. Only for who has its lease: nobody
   * erases in it then. [LOG9] Where this process is alone on the store the end is kept from the beginning, and neither does
   * anything. [RUN20]
   */
  hold(): Promise<void>
  letGo(): void
  /** Whether an append has taken the lease here since then: what it was taken for, or to give it back, is still to be done. [SCALE24] */
  isTaken(): boolean
  /** Puts off what is appended by what it returns, and other appends until that is written; null where others may write. [RUN24] */
  stage(): StagedLog | null
  /** Reads all anew: words of the log are erased. [LOG9] */
  reopen(): Promise<void>
  /** Keeps little while nobody uses it, and says about how many bytes that is. [RUN21] */
  rest(): number
  /** Sets the one that is called whenever the state has changed, before whoever changed it goes on. */
  setListener(listener: () => void): void
}

/** What a log is opened with. */
export interface HostLogDeps {
  readonly ports: Pick<EnginePorts, 'store' | 'bus' | 'clock' | 'isAlone' | 'beats' | 'holder'>
  /** Whether there is something to do in a conversation of which this is known. */
  readonly hasWork: (state: Overview) => boolean
  /** Is told of snapshots that cannot be kept. */
  readonly onFault: (error: unknown) => void
}

/** Opens a log: its last snapshot, and the entries after it. [PRJ2] */
export async function openHostLog({ ports, hasWork, onFault }: HostLogDeps, conversationId: string): Promise<HostLog> {
  const { store, bus, clock, isAlone, beats, holder } = ports
  const end = createKeptEnd(store, conversationId)
  let state = overview.initial
  let requests = requestState.initial
  let snapshotAt = 0
  const inTurn = createTurns()
  const [sizeOfState, sizeOfRequests] = [createSizing(), createSizing()]
  let changed = (): void => {}
  let isTaken = false
  await open()

  async function open(): Promise<void> {
    const opened = await openStates(store, conversationId)
    state = opened.state
    requests = opened.requests
    snapshotAt = opened.cursor
    if (isAlone && (opened.tail.length > 0 || state.head === 0)) end.begin(opened.tail)
    else end.end()
    if (opened.notKept !== null) onFault(opened.notKept)
  }

  function fold(entries: readonly Entry[]): void {
    if (entries.length === 0) return
    state = overview.reduce(state, entries)
    requests = requestState.reduce(requests, entries)
    end.add(entries)
    bus.publish({ type: 'entries', conversationId, entries })
    changed()
  }

  async function catchUp(): Promise<void> {
    for await (const page of entriesAfter(store, { conversationId, after: state.head, pageEntries: PAGE })) {
      // A log that was deleted meanwhile does not come back, and nothing can be appended to it.
      if (page.head < state.head) throw new UnknownConversationError(conversationId)
      fold(page.entries)
    }
  }

  /** One look at the end serves both: what is new of it is folded, and what a run reads first is there. */
  async function hold(): Promise<void> {
    const page = await store.read({ conversationId, before: BEYOND_ALL_LOGS, limit: HELD_ENTRIES })
    if (page.head < state.head) throw new UnknownConversationError(conversationId)
    end.begin(page.entries)
    if ((page.entries[0]?.seq ?? 1) > state.head + 1) await catchUp()
    else fold(page.entries.filter(({ seq }) => seq > state.head))
  }

  /** Snapshots that cannot be kept now are tried again after as many entries: each try folds all of the states into text. */
  async function keepNear(): Promise<void> {
    if (state.head - snapshotAt < LIMITS.snapshotEvery) return
    snapshotAt = state.head
    const notKept = await keepStates(store, conversationId, { state, requests })
    if (notKept !== null) onFault(notKept)
  }

  const write = (appended: AppendOptions & Pick<Append, 'entries' | 'at' | 'acquire'>) =>
    appendTo({ store, bus }, { ...appended, conversationId, after: state.head })

  async function attempt(
    options: AppendOptions,
    decide: (state: Overview) => readonly NewEntry[],
  ): Promise<AppendResult> {
    for (;;) {
      const entries = decide(state)
      // A command that changes nothing is remembered all the same: sent again, it must not find another moment. [LOG4]
      if (entries.length === 0 && options.command === null) return { entries: [], repeated: false }
      try {
        const at = clock.now()
        const request = { ...options, entries, at }
        const takes = beats && options.epoch === null && givesWork(request, { conversationId, state, hasWork })
        const appended = await write(takes ? { ...request, acquire: claimOf(holder) } : request)
        isTaken ||= appended.lease !== undefined
        if (appended.repeated) await catchUp()
        else fold(appended.entries)
        await keepNear()
        return appended
      } catch (error) {
        if (!(error instanceof AppendConflictError)) throw error
        await catchUp()
      }
    }
  }

  /** What was decided ahead is written as it is, or not at all. [RUN24] */
  async function writeStaged(staged: StagedAppend): Promise<void> {
    const appended = await write({ ...staged, dropDraft: null }).catch(refused)
    if (appended.repeated) throw new NotWrittenError('The command was carried out before')
    fold(appended.entries)
    await keepNear()
  }

  const log: HostLog = {
    conversationId,
    overview: () => state,
    requestState: () => requests,
    append: (options, decide) => inTurn(() => attempt(options, decide)),
    async settle() {},
    read: end.read,
    refresh: () => inTurn(catchUp),
    async hold() {
      isTaken = false
      if (!end.isKept()) await inTurn(hold)
    },
    stage: () => (end.isKept() ? stageOn({ log, clock, inTurn, write: writeStaged }) : null),
    letGo() {
      isTaken = false
      if (!isAlone) end.end()
    },
    isTaken: () => isTaken,
    reopen: () =>
      inTurn(async () => {
        await open()
        changed()
      }),
    rest: () => end.shorten(RESTING_BYTES) + sizeOfState(state) + sizeOfRequests(requests),
    setListener(listener) {
      changed = listener
    },
  }
  return log
}

/** What an append takes the lease with. Another that holds it sees the entries before it gives it back. */
function claimOf(holder: string): LeaseClaim {
  return { holder, ttlMs: LIMITS.leaseTtlMs, mayBeHeld: true }
}

/**
 * Whether entries give something to do where there was nothing. The lease is taken with them then: what a process has
 * acknowledged and is killed before it begins, the others find by the lease of a replica that is gone. [SCALE24]
 */
function givesWork(
  { entries, at }: Pick<Append, 'entries' | 'at'>,
  {
    conversationId,
    state,
    hasWork,
  }: { readonly conversationId: string; readonly state: Overview } & Pick<HostLogDeps, 'hasWork'>,
): boolean {
  if (hasWork(state)) return false
  const placed = entries.map((entry, index) => placeEntry(entry, { conversationId, seq: state.head + 1 + index, at }))
  return hasWork(overview.reduce(state, placed))
}

const PAGE = 500

/** What is left of the end of a log that nobody uses now: what the next turn reads, where its results are not long. */
const RESTING_BYTES = 128 * 1_024

/** As many as a path is read backward at a time. */
const HELD_ENTRIES = 200

/** Appends, and tells whoever looks of what cannot be written. [LOG8] */
async function appendTo(
  { store, bus }: Pick<EnginePorts, 'store' | 'bus'>,
  {
    epoch,
    command,
    dropDraft,
    givesBack,
    ...place
  }: AppendOptions & Pick<Append, 'conversationId' | 'after' | 'entries' | 'at' | 'acquire'>,
): Promise<Appended> {
  try {
    return await store.append({
      ...place,
      ...(epoch === null ? {} : { epoch }),
      ...(command === null ? {} : { command }),
      ...(dropDraft === null ? {} : { dropDraft }),
      ...(givesBack?.() ? { release: true as const } : {}),
    })
  } catch (error) {
    const { conversationId } = place
    if (error instanceof StoreWriteError) bus.publish({ type: 'write-failed', conversationId, message: error.told })
    throw error
  }
}

function refused(error: unknown): never {
  throw isRefusal(error) ? new NotWrittenError('Nothing of it was written', { cause: error }) : error
}

/** Whether the store says with an error that it has written nothing. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof AppendConflictError ||
    error instanceof StaleEpochError ||
    error instanceof CommandReusedError ||
    error instanceof MalformedEntryError ||
    error instanceof MissingBlobError
  )
}
