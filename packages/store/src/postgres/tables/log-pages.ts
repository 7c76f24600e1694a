import { type Entry, type ListingState, listing } from '@holdfast/conversation'
import type { EntryRow } from '../../shared/prepare-append.ts'
import { readRows } from '../../shared/read-rows.ts'
import type { Sql } from '../connection/database.ts'

/** How many entries are held at a time when a whole log is read. */
const PAGE_ENTRIES = 500

const BETWEEN = `
  SELECT seq, checksum, body FROM holdfast.entries
  WHERE conversation_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq`

/** A stretch of a log. */
export interface Stretch {
  readonly conversationId: string
  readonly fromSeq: number
  readonly toSeq: number
}

/**
 * The entries of a stretch, all of which are there.
 *
 * @throws {DamagedLogError} at the first that is missing or not what was written. [LOG7]
 */
export async function readEntriesBetween(sql: Sql, { conversationId, fromSeq, toSeq }: Stretch): Promise<Entry[]> {
  const rows = await sql<EntryRow>(BETWEEN, [conversationId, fromSeq, toSeq])
  return readRows(conversationId, rows, { from: fromSeq, to: toSeq })
}

/** Reads a whole log in its order, in bounded memory. */
export async function* logPages(
  sql: Sql,
  { conversationId, head }: { conversationId: string; head: number },
): AsyncGenerator<readonly Entry[]> {
  for (let fromSeq = 1; fromSeq <= head; fromSeq += PAGE_ENTRIES) {
    yield await readEntriesBetween(sql, { conversationId, fromSeq, toSeq: Math.min(head, fromSeq + PAGE_ENTRIES - 1) })
  }
}

/** The state of the list's row, made anew from the log. */
export async function foldListing(sql: Sql, log: { conversationId: string; head: number }): Promise<ListingState> {
  let state = listing.initial
  for await (const entries of logPages(sql, log)) state = listing.reduce(state, entries)
  return state
}
