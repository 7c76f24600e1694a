import type { ConversationListing, ListingState } from '@holdfast/conversation'
import { listing, toListing } from '@holdfast/conversation/stored'

/** The row of the conversation list, as a table has it: columns to find and order it by, and two texts. */
export interface ListingRow {
  readonly ownerId: string
  readonly archived: boolean
  readonly updatedAt: number
  readonly version: number
  /** What the list shows, as JSON. */
  readonly shown: string
  /** What the next entries are folded into, as JSON. */
  readonly state: string
}

/** The row of a listing's state. */
export function toListingRow(state: ListingState): ListingRow {
  return {
    ownerId: state.ownerId,
    archived: state.archived,
    updatedAt: state.updatedAt,
    version: listing.version,
    shown: JSON.stringify(toListing(state)),
    state: JSON.stringify(state),
  }
}

/** What the list shows of a row. The row's own checksum has been looked at. */
export function readShown(shown: string): ConversationListing {
  const parsed: ConversationListing = JSON.parse(shown)
  return parsed
}

/** The state of a row, or null when another version of the projection wrote it. [PRJ2] */
export function readListingState(row: { readonly version: number; readonly state: string }): ListingState | null {
  if (row.version !== listing.version) return null
  const parsed: ListingState = JSON.parse(row.state)
  return parsed
}
