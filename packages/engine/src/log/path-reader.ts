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
  /** Whether the path begins with `entries`: nothing of it stands before them. */
  readonly reachesBeginning: boolean
  /** Counts the messages of the path from one entry to before another; those of them before `entries` are read for that. [WIN7] */
  countMessages(fromSeq: number, beforeSeq: number): Promise<number>
}

/** The path as a run needs it: read backward from its end once, then only what has come since. [WIN5] */
export interface PathReader {
  /**
   * What is sent up to the state's head, back to where the request starts or, before that, to where more than this was
   * read: about so much, for what an entry adds to a request is known when that is composed. The path does not move
   * while a run is open. [PRJ6]
   *
   * @param mostWeight - how far back is read; infinite for all.
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
    let reachesBeginning = true
    for await (const page of pagesBack(ranges)) {
      reachesBeginning = page.isBeginning
      if (reader.take(page)) break
    }
    const { entries, carriedSeqs } = reader.read()
    return {
      entries,
      carried: await readCarried(carriedSeqs, entries),
      reachesBeginning,
      countMessages: (fromSeq, beforeSeq) => countMessages(ranges, { fromSeq, beforeSeq, known: entries }),
    }
  }

  /** Once for each move of a window: pages that were not read are read for it, and not kept. */
  async function countMessages(
    ranges: readonly SeqRange[],
    {
      fromSeq,
      beforeSeq,
      known,
    }: { readonly fromSeq: number; readonly beforeSeq: number; readonly known: readonly Entry[] },
  ): Promise<number> {
    const counter = createMessageCounter()
    const isCounted = ({ seq }: Entry) => seq >= fromSeq && seq < beforeSeq
    const knownSeq = known[0]?.seq ?? Number.POSITIVE_INFINITY
    counter.look(known)
    counter.add(known.filter(isCounted))
    if (fromSeq >= knownSeq) return counter.count()
    const unread = ranges
      .filter(({ from }) => from < knownSeq)
      .map(({ from, to }) => ({ from, to: Math.min(to, knownSeq - 1) }))
    for await (const { entries } of pagesBack(unread)) {
      counter.add(entries.filter(isCounted))
      if ((entries[0]?.seq ?? 0) <= fromSeq) break
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
