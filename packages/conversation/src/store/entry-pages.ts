import { type EntryLog, type EntryPage, PAGE_BYTES } from './entry-log.ts'

/** A stretch of a log that is read forward, and how. */
export interface EntriesAfter {
  readonly conversationId: string
  /** `seq` of the entry before the first that is wanted; 0 for all. */
  readonly after: number
  /** The most entries that are held at once; a page ends at `PAGE_BYTES` too. */
  readonly pageEntries: number
  /** `seq` of the last entry that is wanted; absent: the last that there is. */
  readonly to?: number
  /** Ends the reading between two pages, with its reason. */
  readonly signal?: AbortSignal
}

/** A stretch of a log that is read backward, and how. */
export interface EntriesBefore {
  readonly conversationId: string
  /** `seq` of the entry after the first that is wanted. */
  readonly before: number
  /** The most entries that are held at once; a page ends at `PAGE_BYTES` too. */
  readonly pageEntries: number
  /** `seq` of the last entry that is wanted; absent: the first that there is. */
  readonly from?: number
  /** Ends the reading between two pages, with its reason. */
  readonly signal?: AbortSignal
}

/**
 * Reads a log forward, page by page, up to the head that the last page named; the first page may be empty. [LOG5]
 *
 * @throws what `read` throws, and the signal's reason.
 */
export async function* entriesAfter(
  log: Pick<EntryLog, 'read'>,
  { conversationId, after, pageEntries, to, signal }: EntriesAfter,
): AsyncGenerator<EntryPage> {
  const end = to ?? Number.POSITIVE_INFINITY
  for (let cursor = after; cursor < end; ) {
    signal?.throwIfAborted()
    const page = await log.read({
      conversationId,
      after: cursor,
      limit: Math.min(pageEntries, end - cursor),
      maxBytes: PAGE_BYTES,
    })
    yield page
    const last = page.entries.at(-1)
    if (last === undefined || last.seq >= page.head) return
    cursor = last.seq
  }
}

/**
 * Reads a log backward, the newest page first; within a page the entries are oldest first. [LOG5]
 *
 * @throws what `read` throws, and the signal's reason.
 */
export async function* entriesBefore(
  log: Pick<EntryLog, 'read'>,
  { conversationId, before, pageEntries, from, signal }: EntriesBefore,
): AsyncGenerator<EntryPage> {
  const end = from ?? 1
  for (let cursor = before; cursor > end; ) {
    signal?.throwIfAborted()
    const page = await log.read({
      conversationId,
      before: cursor,
      limit: Math.min(pageEntries, cursor - end),
      maxBytes: PAGE_BYTES,
    })
    yield page
    const first = page.entries[0]
    if (first === undefined) return
    cursor = first.seq
  }
}
