import {
  AppendConflictError,
  BEYOND_ALL_LOGS,
  type CommandKey,
  createTurns,
  type Entry,
  type EntryLog,
  entriesAfter,
  type NewEntry,
  type Overview,
  overview,
  StoreWriteError,
} from '@holdfast/conversation'
import { type EnginePorts, LIMITS } from '../api/ports.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import { createKeptEnd } from './kept-end.ts'
import { keepStates, openStates } from './log-states.ts'
import { type RequestState, requestState } from './request-state.ts'

/** How to append, beside what. */
export interface AppendOptions {
  /** The run's lease epoch; null for commands. */
  readonly epoch: number | null
  readonly command: CommandKey | null
  /** The step whose draft ends here; null for none. */
  readonly dropDraft: string | null
}

/** What an append left; no entries when there was nothing to append. */
export interface AppendResult {
  readonly entries: readonly Entry[]
  readonly repeated: boolean
}

/** A conversation's log with the state folded from it. Appends are one after the other. */
export interface LiveLog {
  readonly conversationId: string
  /** The state after the last entry seen. */
  readonly overview: () => Overview
  /** What requests depend on beside the path, after the same entry. */
  readonly requestState: () => RequestState
  /**
   * Appends what `decide` makes of the newest state, and decides again when another writer was faster.
   * When it resolves, the entries are durable and published.
   */
  append(options: AppendOptions, decide: (state: Overview) => readonly NewEntry[]): Promise<AppendResult>
  /** Pages of the log: while it is held, those of its end come from memory. */
  readonly read: EntryLog['read']
  /** Reads what others have written since, and publishes it here. */
  refresh(): Promise<void>
  /** Does the same, and keeps the end of the log until `letGo`. Only for who has its lease: nobody erases in it then. [LOG9] */
  hold(): Promise<void>
  letGo(): void
  /** Sets the one that is called whenever the state has changed, before whoever changed it goes on. */
  setListener(listener: () => void): void
}

/** Opens a log: its last snapshot, and the entries after it. `onFault` is told of snapshots that cannot be kept. [PRJ2] */
export async function openLiveLog(
  { store, bus, clock }: Pick<EnginePorts, 'store' | 'bus' | 'clock'>,
  conversationId: string,
  onFault: (error: unknown) => void,
): Promise<LiveLog> {
  const end = createKeptEnd(store)
  const opened = await openStates(store, conversationId)
  let { state, requests } = opened
  let snapshotAt = opened.cursor
  if (opened.notKept !== null) onFault(opened.notKept)
  const inTurn = createTurns()
  let changed = (): void => {}

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

  async function attempt(
    options: AppendOptions,
    decide: (state: Overview) => readonly NewEntry[],
  ): Promise<AppendResult> {
    for (;;) {
      const entries = decide(state)
      // A command that changes nothing is remembered all the same: sent again, it must not find another moment. [LOG4]
      if (entries.length === 0 && options.command === null) return { entries: [], repeated: false }
      try {
        const { epoch, command, dropDraft } = options
        const appended = await store.append({
          conversationId,
          after: state.head,
          entries,
          at: clock.now(),
          ...(epoch === null ? {} : { epoch }),
          ...(command === null ? {} : { command }),
          ...(dropDraft === null ? {} : { dropDraft }),
        })
        if (appended.repeated) await catchUp()
        else fold(appended.entries)
        await keepNear()
        return appended
      } catch (error) {
        if (error instanceof StoreWriteError)
          bus.publish({ type: 'write-failed', conversationId, message: error.message })
        if (!(error instanceof AppendConflictError)) throw error
        await catchUp()
      }
    }
  }

  return {
    conversationId,
    overview: () => state,
    requestState: () => requests,
    append: (options, decide) => inTurn(() => attempt(options, decide)),
    read: end.read,
    refresh: () => inTurn(catchUp),
    hold: () => inTurn(hold),
    letGo: end.end,
    setListener(listener) {
      changed = listener
    },
  }
}

const PAGE = 500

/** As many as a path is read backward at a time. */
const HELD_ENTRIES = 200
