import { type Entry, type EntryLog, MAX_PAGE_ENTRIES, type PageQuery } from '@holdfast/conversation'
import { sizeOf } from './size-of.ts'

/** The end of a log in memory: whoever works on a conversation reads it again and again. */
export interface KeptEnd {
  /** Pages of the log up to what was added last; what stands before the kept end is asked of the store. */
  readonly read: EntryLog['read']
  /** Whether something is kept: then `read` knows the end of the log. */
  readonly isKept: () => boolean
  /** Begins to keep with a page that ends where the log does; an empty one is the end of a log that has no entries. */
  begin(entries: readonly Entry[]): void
  /** Goes on with entries as they were folded; those that are kept already count once. */
  add(entries: readonly Entry[]): void
  /** Keeps the newest entries of so many bytes, and says how many bytes they take. */
  shorten(mostBytes: number): number
  /** Keeps nothing any more: what others may write and erase is asked of the store. [LOG9] */
  end(): void
}

/** More than so many entries are not kept … */
const MOST_ENTRIES = 2_000

/** So many entries are left then, which is more than a page. */
const LEFT_ENTRIES = 1_000

/** Makes the end of one log, of which nothing is kept yet. */
export function createKeptEnd(store: Pick<EntryLog, 'read'>, conversationId: string): KeptEnd {
  let kept: Entry[] = []
  /** The sizes of the first of them, as far as they were asked for. */
  let sizes: number[] = []
  /** The place of the first kept entry, or of the next one where there is none yet; null while nothing is kept. */
  let first: number | null = null

  function dropFirst(count: number): void {
    kept = kept.slice(count)
    sizes = sizes.slice(count)
    if (first !== null) first += count
  }

  return {
    isKept: () => first !== null,
    async read(query) {
      if (first === null || query.conversationId !== conversationId) return store.read(query)
      const head = first + kept.length - 1
      const { from, to } = rangeOf(query, head)
      return from < first ? store.read(query) : { entries: kept.slice(from - first, to + 1 - first), head }
    },
    begin(entries) {
      kept = [...entries]
      sizes = []
      first = kept[0]?.seq ?? 1
    },
    add(entries) {
      if (first === null) return
      for (const entry of entries) if (entry.seq === first + kept.length) kept.push(entry)
      if (kept.length > MOST_ENTRIES) dropFirst(kept.length - LEFT_ENTRIES)
    },
    shorten(mostBytes) {
      for (const entry of kept.slice(sizes.length)) sizes.push(sizeOf(entry))
      let bytes = sizes.reduce((sum, size) => sum + size, 0)
      let dropped = 0
      for (; bytes > mostBytes; dropped++) bytes -= sizes[dropped] ?? 0
      if (dropped > 0) dropFirst(dropped)
      return bytes
    },
    end() {
      kept = []
      sizes = []
      first = null
    },
  }
}

/** The places that a page of a log with this head has. */
function rangeOf({ after, before, limit }: PageQuery, head: number): { readonly from: number; readonly to: number } {
  const size = Math.min(limit, MAX_PAGE_ENTRIES)
  if (after !== undefined) {
    const from = Math.max(after, 0) + 1
    return { from, to: Math.min(head, from + size - 1) }
  }
  const to = Math.min(before - 1, head)
  return { from: Math.max(1, to - size + 1), to }
}
