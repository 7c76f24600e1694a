import { type RequestFacts, requestFacts } from '@holdfast/context'
import {
  type Entry,
  type EntryOf,
  type EntryStore,
  isInRanges,
  type Overview,
  pathRanges,
} from '@holdfast/conversation'

/** What a request is made from. */
export interface SentPath {
  /** The entries on the active path, oldest first. */
  readonly entries: readonly Entry[]
  /** What the whole log says of requests, also where it was set aside. */
  readonly facts: RequestFacts
}

/** The log as a run needs it: read once, then only what has come since. */
export interface PathReader {
  /** What is sent up to the state's head. The path does not move while a run is open. [PRJ6] */
  read(state: Overview): Promise<SentPath>
}

const PAGE = 500

/** Reads the log of one conversation for one run. */
export function createPathReader(store: EntryStore, conversationId: string): PathReader {
  const entries: Entry[] = []
  let facts = requestFacts.initial
  let cursor = 0
  return {
    async read(state) {
      const ranges = pathRanges(state.path)
      while (cursor < state.head) {
        const page = await store.read({ conversationId, after: cursor, limit: Math.min(PAGE, state.head - cursor) })
        facts = requestFacts.reduce(facts, page.entries)
        for (const entry of page.entries) if (isInRanges(ranges, entry.seq)) entries.push(entry)
        cursor = page.entries.at(-1)?.seq ?? state.head
      }
      return { entries, facts }
    },
  }
}

/** The entry at a place of the log, of the type that stands there. */
export async function entryAt<Type extends Entry['type']>(
  store: EntryStore,
  { conversationId, seq, type }: { readonly conversationId: string; readonly seq: number; readonly type: Type },
): Promise<EntryOf<Type> | null> {
  const page = await store.read({ conversationId, after: seq - 1, limit: 1 })
  const entry = page.entries[0]
  return entry && isOfType(entry, type) ? entry : null
}

function isOfType<Type extends Entry['type']>(entry: Entry, type: Type): entry is EntryOf<Type> {
  return entry.type === type
}
