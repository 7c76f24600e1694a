import {
  type Append,
  AppendConflictError,
  BEYOND_ALL_LOGS,
  CommandReusedError,
  createTurns,
  type Entry,
  entriesAfter,
  MalformedEntryError,
  MissingBlobError,
  type NewEntry,
  type Overview,
  overview,
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
  /** Puts off what is appended by what it returns, and other appends until that is written; null where others may write. [RUN24] */
  stage(): StagedLog | null
  /** Reads all anew: words of the log are erased. [LOG9] */
  reopen(): Promise<void>
  /** Keeps little while nobody uses it, and says about how many bytes that is. [RUN21] */
  rest(): number
  /** Sets the one that is called whenever the state has changed, before whoever changed it goes on. */
  setListener(listener: () => void): void
}

/** Opens a log: its last snapshot, and the entries after it. `onFault` is told of snapshots that cannot be kept. [PRJ2] */
export async function openHostLog(
  { store, bus, clock, isAlone }: Pick<EnginePorts, 'store' | 'bus' | 'clock' | 'isAlone'>,
  conversationId: string,
  onFault: (error: unknown) => void,
): Promise<HostLog> {
  const end = createKeptEnd(store, conversationId)
  let state = overview.initial
  let requests = requestState.initial
  let snapshotAt = 0
  const inTurn = createTurns()
  const [sizeOfState, sizeOfRequests] = [createSizing(), createSizing()]
  let changed = (): void => {}
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

  const write = (appended: AppendOptions & Pick<Append, 'entries' | 'at'>) =>
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
        const appended = await write({ ...options, entries, at: clock.now() })
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
      if (!end.isKept()) await inTurn(hold)
    },
    stage: () => (end.isKept() ? stageOn({ log, clock, inTurn, write: writeStaged }) : null),
    letGo() {
      if (!isAlone) end.end()
    },
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
  }: AppendOptions & Pick<Append, 'conversationId' | 'after' | 'entries' | 'at'>,
): Promise<AppendResult> {
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
    if (error instanceof StoreWriteError) bus.publish({ type: 'write-failed', conversationId, message: error.message })
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
