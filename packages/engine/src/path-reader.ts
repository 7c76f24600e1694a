import {
  type Entry,
  type EntryOf,
  type EntryStore,
  isInRanges,
  type Overview,
  pathRanges,
} from '@holdfast/conversation'

/** The entries of the active path as a run needs them: read once, then only what has come since. */
export interface PathReader {
  /** The entries on the path up to the state's head, oldest first. The path does not move while a run is open. [PRJ6] */
  entries(state: Overview): Promise<readonly Entry[]>
}

const PAGE = 500

/** Reads the path of one conversation for one run. */
export function createPathReader(store: EntryStore, conversationId: string): PathReader {
  const entries: Entry[] = []
  let cursor = 0

  /** Reads what the path holds of the entries from `first` to `last`. */
  async function readRange(first: number, last: number, ranges: ReturnType<typeof pathRanges>): Promise<void> {
    for (let after = first - 1; after < last; ) {
      const page = await store.read({ conversationId, after, limit: Math.min(PAGE, last - after) })
      for (const entry of page.entries) if (isInRanges(ranges, entry.seq)) entries.push(entry)
      after = page.entries.at(-1)?.seq ?? last
    }
  }

  return {
    async entries(state) {
      const ranges = pathRanges(state.path)
      for (const range of ranges) {
        if (range.to > cursor) await readRange(Math.max(range.from, cursor + 1), range.to, ranges)
      }
      cursor = Math.max(cursor, state.head)
      return entries
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
