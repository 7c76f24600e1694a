import { type Entry, type EntryLog, MAX_PAGE_ENTRIES, type PageQuery } from '@holdfast/conversation'

/** The end of a log in memory: whoever holds the lease reads it again and again while a run goes on. */
export interface KeptEnd {
  /** Pages of the log up to what was added last; what stands before the kept end is asked of the store. */
  readonly read: EntryLog['read']
  /** Begins to keep with a page that ends where the log does. */
  begin(entries: readonly Entry[]): void
  /** Goes on with entries as they were folded; those that are kept already count once. */
  add(entries: readonly Entry[]): void
  /** Keeps nothing any more: without the lease, entries may be erased behind its back. [LOG9] */
  end(): void
}

/** More than so many entries are not kept … */
const MOST_ENTRIES = 2_000

/** So many entries are left then, which is more than a page. */
const LEFT_ENTRIES = 1_000

/** Makes the end of a log of which nothing is kept yet. */
export function createKeptEnd(store: Pick<EntryLog, 'read'>): KeptEnd {
  let kept: Entry[] = []

  return {
    async read(query) {
      const first = kept[0]?.seq ?? Number.POSITIVE_INFINITY
      const head = kept.at(-1)?.seq ?? 0
      const { from, to } = rangeOf(query, head)
      const isOther = kept[0]?.conversationId !== query.conversationId
      return isOther || from < first ? store.read(query) : { entries: kept.slice(from - first, to + 1 - first), head }
    },
    begin(entries) {
      kept = [...entries]
    },
    add(entries) {
      const head = kept.at(-1)?.seq
      if (head === undefined) return
      for (const entry of entries) if (entry.seq > head) kept.push(entry)
      if (kept.length > MOST_ENTRIES) kept = kept.slice(-LEFT_ENTRIES)
    },
    end() {
      kept = []
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
