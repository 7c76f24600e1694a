import { type Entry, type ListingState, listing } from '@holdfast/conversation'
import { readListingState } from '../../shared/listing-row.ts'
import { readRows } from '../../shared/read-rows.ts'
import type { ConversationRow } from './conversation-table.ts'
import type { EntryTable } from './entry-table.ts'

/** How many rows a walk over a log reads at once. */
const PAGE = 500

/** A log with its last place. */
interface WholeLog {
  readonly key: number
  readonly conversationId: string
  readonly head: number
}

/**
 * The entries of a log in batches, all of them up to its head.
 *
 * @throws {DamagedLogError} where one is missing or not what was written.
 */
export function* walkLog(entries: EntryTable, { key, conversationId, head }: WholeLog): Iterable<readonly Entry[]> {
  for (let from = 1; from <= head; from += PAGE) {
    const to = Math.min(from + PAGE - 1, head)
    yield readRows(conversationId, entries.range(key, from, to), { from, to })
  }
}

/** A row's listing state; folded from the log when another version of the projection wrote it. */
export function listingStateOf(row: ConversationRow, entries: EntryTable): ListingState {
  return readListingState(row) ?? foldListing(row, entries)
}

/** The listing state of a log. */
export function foldListing(log: WholeLog, entries: EntryTable): ListingState {
  let state = listing.initial
  for (const batch of walkLog(entries, log)) state = listing.reduce(state, batch)
  return state
}
