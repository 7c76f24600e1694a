import { carriedByCheckpoint, createWindowReader } from '@holdfast/context'
import {
  type Entry,
  type EntryLog,
  type EntryOf,
  entriesAfter,
  entriesBefore,
  isInRanges,
  type Overview,
  pathRanges,
  type SeqRange,
} from '@holdfast/conversation'
import { createMessageCounter } from './path-log.ts'

/** The part of the active path that requests are made from. */
export interface SentPath {
  /** Oldest first: all that the window can hold, and not much more. */
  readonly entries: readonly Entry[]
  /** What stands before them and is sent all the same. [CHK4] */
  readonly carried: readonly Entry[]
  /** Counts the messages of the path before `entries`, where no window says how many it leaves out: all of it is read for that. [WIN7] */
  countUnread(): Promise<number>
}

/** The path as a run needs it: read backward from its end once, then only what has come since. [WIN5] */
export interface PathReader {
  /**
   * What is sent up to the state's head. The path does not move while a run is open. [PRJ6]
   *
   * @param mostWeight - as much as the window may hold; infinite where it is not known.
   */
  read(state: Overview, mostWeight: number): Promise<SentPath>
}

interface PathPage {
  readonly entries: readonly Entry[]
  /** Whether the path begins with it. */
  readonly isBeginning: boolean
}

const PAGE = 200

/** More than so many times what was read is read anew; less is what a request leaves out anyway. */
const REREAD_FROM = 2

/** Reads the path of one conversation for one run. */
export function createPathReader(store: Pick<EntryLog, 'read'>, conversationId: string): PathReader {
  let sent: SentPath | null = null
  let readWeight = 0
  let cursor = 0

  async function* pagesBack(ranges: readonly SeqRange[]): AsyncGenerator<PathPage> {
    for (const range of ranges.toReversed()) {
      const { from, to } = range
      for await (const { entries } of entriesBefore(store, {
        conversationId,
        before: to + 1,
        from,
        pageEntries: PAGE,
      }))
        yield { entries, isBeginning: range === ranges[0] && (entries[0]?.seq ?? from) <= from }
    }
  }

  async function readFromEnd(ranges: readonly SeqRange[], mostWeight: number): Promise<SentPath> {
    const reader = createWindowReader({ mostWeight })
    let pageCount = 0
    let isStartRead = false
    for await (const page of pagesBack(ranges)) {
      const isEnough = reader.take(page)
      pageCount += 1
      isStartRead ||= page.entries.some(saysStart)
      if (isEnough) break
    }
    const { entries, carriedSeqs } = reader.read()
    return {
      entries,
      carried: await readCarried(carriedSeqs, entries),
      countUnread: async () => (isStartRead ? 0 : countBefore(ranges, pageCount)),
    }
  }

  /** The messages of the pages that were not read: once in a conversation, when it first gets a window. */
  async function countBefore(ranges: readonly SeqRange[], readPages: number): Promise<number> {
    const counter = createMessageCounter()
    let place = 0
    for await (const { entries } of pagesBack(ranges)) {
      place += 1
      if (place > readPages) counter.add(entries)
      else counter.look(entries)
    }
    return counter.count()
  }

  /** Entries that are sent from before the start, and what a checkpoint among them carries itself. */
  async function readCarried(seqs: readonly number[], known: readonly Entry[]): Promise<readonly Entry[]> {
    const carried: Entry[] = []
    for (const seq of seqs) {
      const { entries } = await store.read({ conversationId, after: seq - 1, limit: 1 })
      const entry = entries[0]
      if (!entry) continue
      if (entry.type === 'checkpoint-made')
        carried.push(...(await readCarried(carriedByCheckpoint(entry, known), known)))
      carried.push(entry)
    }
    return carried
  }

  return {
    async read(state, mostWeight) {
      const ranges = pathRanges(state.path)
      // Who looks at the last calls only asks for little; a request that comes after it needs all that it may hold.
      if (sent === null || mostWeight > REREAD_FROM * readWeight) {
        sent = await readFromEnd(ranges, mostWeight)
        readWeight = mostWeight
        cursor = state.head
      }
      const fresh = { conversationId, after: cursor, to: state.head, pageEntries: PAGE }
      const found: Entry[] = []
      for await (const { entries } of entriesAfter(store, fresh))
        for (const entry of entries) if (isInRanges(ranges, entry.seq)) found.push(entry)
      if (found.length > 0) sent = { ...sent, entries: [...sent.entries, ...found] }
      cursor = Math.max(cursor, state.head)
      return sent
    },
  }
}

/** Whether an entry says itself where the request starts. */
function saysStart({ type }: Entry): boolean {
  return type === 'window-moved' || type === 'checkpoint-made'
}

/** The entry at a place of the log, if it is of the type that is expected there. */
export async function entryAt<Type extends Entry['type']>(
  store: Pick<EntryLog, 'read'>,
  { conversationId, seq, type }: { readonly conversationId: string; readonly seq: number; readonly type: Type },
): Promise<EntryOf<Type> | null> {
  const page = await store.read({ conversationId, after: seq - 1, limit: 1 })
  const entry = page.entries[0]
  return entry && isOfType(entry, type) ? entry : null
}

function isOfType<Type extends Entry['type']>(entry: Entry, type: Type): entry is EntryOf<Type> {
  return entry.type === type
}
