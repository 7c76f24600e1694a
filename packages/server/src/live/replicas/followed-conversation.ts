import {
  BEYOND_ALL_LOGS,
  type Clock,
  type ConversationIndex,
  type Draft,
  type DraftStore,
  type Entry,
  type EntryLog,
  entriesAfter,
} from '@holdfast/conversation'
import type { LiveMessage } from '@holdfast/engine'
import { createLookPace } from './look-pace.ts'
import { createLooking } from './looking.ts'
import { createRemoteStep, type RemoteNews } from './remote-step.ts'

/** A conversation that somebody here follows: what others write into it is found and told. */
export interface FollowedConversation {
  /** This process publishes it itself. @returns whether it is news: what was read here is known elsewhere. */
  note(message: LiveMessage): boolean
  /** Another replica says that the log goes up to there. */
  grown(head: number): void
  /** Another replica says what streams, or how far it is durable. */
  stream(news: RemoteNews): void
  /** Another replica says that more of the open step is durable. */
  draftKept(): void
  /** Called at every round: looks where it is time to. `isTold` says whether others tell of what they write. */
  round(isTold: boolean): void
  /** What was told may be less than there is: it is looked at with the next round. */
  unsettle(): void
  /** Looks now, at the log alone where nothing runs. */
  look(): void
  /** The open step of a run at another replica; null where none is known. */
  openDraft(): Draft | null
  close(): void
}

/** What it works with. */
export interface FollowedDeps {
  readonly conversationId: string
  readonly store: Pick<EntryLog, 'read'> & Pick<DraftStore, 'readDrafts'> & Pick<ConversationIndex, 'readListing'>
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>
  /** Tells who follows here. */
  readonly tell: (message: LiveMessage) => void
  /** Lets only so many look at a time. */
  readonly inLine: (work: () => Promise<void>) => Promise<void>
  readonly roundMs: number
  /** Called when the conversation cannot be read, once until it can be again. */
  readonly onError: (error: unknown) => void
}

/** As many entries are read at once. */
const PAGE_ENTRIES = 200

/** So many messages wait for the end of a look. [SCALE12] */
const MOST_HELD = 2_000

/** Makes one of which nothing is known yet. It asks the store for nothing before its first round, or before somebody says something. */
export function createFollowedConversation(deps: FollowedDeps): FollowedConversation {
  const { conversationId, store, clock, tell, inLine } = deps
  const pace = createLookPace(clock, deps.roundMs)
  const looking = createLooking({ look: readNews, inLine, onError: deps.onError, onDone: takeHeld })
  const step = createRemoteStep({ conversationId, store, clock, tell, look })
  /** `seq` of the last entry that was told here; null while that is not known. */
  let head: number | null = null
  let isRunning = false
  /** Whether the run is one of this process, which publishes its deltas itself. */
  let isOwn = false
  let held: RemoteNews[] = []
  let isOpen = true

  /** @returns whether they were not known. */
  function noteEntries(entries: readonly Entry[]): boolean {
    const last = entries.at(-1)
    if (!last || (head !== null && last.seq <= head)) return false
    head = last.seq
    for (const entry of entries) {
      if (entry.type === 'run-started') isRunning = true
      if (entry.type === 'step-finished' || entry.type === 'step-failed') step.end(entry.stepId)
      if (entry.type === 'run-finished') {
        isRunning = false
        isOwn = false
        step.forget()
      }
    }
    return true
  }

  function look(): void {
    pace.looked()
    looking.start()
  }

  function takeHeld(): void {
    const waiting = held
    held = []
    if (isOpen) for (const news of waiting) take(news)
  }

  async function readNews(): Promise<void> {
    if (!isOpen) return
    const after = head ?? (await readHead())
    for await (const { entries } of entriesAfter(store, { conversationId, after, pageEntries: PAGE_ENTRIES })) {
      if (!isOpen) return
      if (!noteEntries(entries)) continue
      pace.found()
      tell({ type: 'entries', conversationId, entries })
    }
    if (isRunning && !isOwn && (await step.read())) pace.found()
  }

  /** Whoever began to follow before the last entry was there reads by itself what it misses. */
  async function readHead(): Promise<number> {
    const runs = (await store.readListing(conversationId))?.state === 'running'
    const page = await store.read({ conversationId, before: BEYOND_ALL_LOGS, limit: 1 })
    if (head !== null) return head
    isRunning = runs
    head = page.head
    tell({ type: 'entries', conversationId, entries: page.entries })
    return head
  }

  function take(news: RemoteNews): void {
    isOwn = false
    isRunning = true
    step.take(news)
  }

  return {
    note(message) {
      pace.found()
      if (message.type === 'entries') return noteEntries(message.entries)
      if (message.type === 'delta' && !isOwn) {
        isOwn = true
        step.forget()
      }
      return true
    },
    grown(newHead) {
      if (head !== null && newHead <= head) return
      pace.found()
      look()
    },
    stream(news) {
      pace.found()
      // What only goes on with the open step waits for no look: its entry was told, and its end comes behind it.
      const isNext = held.length === 0 && step.goesOnWith(news)
      if (isNext || !looking.isUnderWay()) take(news)
      // What is left out is a hole, and read from the store.
      else if (held.length < MOST_HELD) held.push(news)
    },
    draftKept() {
      if (isOwn) return
      pace.found()
      isRunning = true
      step.want()
    },
    round(isTold) {
      const mayRest = head !== null && !isRunning && isTold && !looking.isFailing()
      if (pace.isDue({ isTold, mayRest })) step.want()
    },
    unsettle: pace.unsettle,
    look,
    openDraft: () => (isOwn ? null : step.now()),
    close() {
      isOpen = false
      step.close()
    },
  }
}
