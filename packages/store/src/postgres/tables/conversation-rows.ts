import { type ConversationListing, type ListingState, listing } from '@holdfast/conversation'
import { rowChecksum } from '../../shared/checksum.ts'
import { readListingState, readShown, toListingRow } from '../../shared/listing-row.ts'
import type { Sql } from '../connection/database.ts'

/** The row of a conversation: where its log ends, and its row of the list. */
export interface ConversationRow {
  readonly conversationId: string
  readonly ownerId: string
  readonly head: number
  readonly version: number
  readonly shown: string
  readonly state: string
  readonly checksum: number
}

/** The columns of a `ConversationRow`; the row stands in the query as `c`. */
export const CONVERSATION_COLUMNS = `
  c.conversation_id AS "conversationId", c.owner_id AS "ownerId", c.head,
  c.listing_version AS "version", c.listing_shown AS "shown", c.listing_state AS "state",
  c.listing_checksum AS "checksum"`

/** Nobody else appends to the log, or changes it, before the transaction ends. */
const LOCK = `SELECT ${CONVERSATION_COLUMNS} FROM holdfast.conversations c WHERE conversation_id = $1 FOR NO KEY UPDATE`

/** Nothing else is written for the conversation either. */
const LOCK_ALL = `SELECT ${CONVERSATION_COLUMNS} FROM holdfast.conversations c WHERE conversation_id = $1 FOR UPDATE`

/**
 * Two that begin the same log: the second waits here until the first has ended. Then it finds the row of
 * the first, or makes its own when the first was rolled back.
 */
const BEGIN_LOG = `
  INSERT INTO holdfast.conversations (conversation_id, owner_id, head, archived, updated_at,
    listing_version, listing_shown, listing_state, listing_checksum)
  VALUES ($1, $2, 0, false, 0, 0, '', '', 0)
  ON CONFLICT (conversation_id) DO NOTHING`

const WRITE_LISTING = `
  UPDATE holdfast.conversations SET owner_id = $2, archived = $3, updated_at = $4,
    listing_version = $5, listing_shown = $6, listing_state = $7, listing_checksum = $8
  WHERE conversation_id = $1`

/** Locks the row of a log until the transaction ends; null when there is no such log. */
export async function lockLog(sql: Sql, conversationId: string): Promise<ConversationRow | null> {
  const rows = await sql<ConversationRow>(LOCK, [conversationId])
  return rows[0] ?? null
}

/** Locks the row of a log, and keeps snapshots and drafts out as well. */
export async function lockLogWhole(sql: Sql, conversationId: string): Promise<ConversationRow | null> {
  const rows = await sql<ConversationRow>(LOCK_ALL, [conversationId])
  return rows[0] ?? null
}

/** Makes the row of a log that begins in this transaction, unless another one has begun it. */
export async function beginLog(
  sql: Sql,
  begun: { readonly conversationId: string; readonly ownerId: string },
): Promise<ConversationRow | null> {
  await sql(BEGIN_LOG, [begun.conversationId, begun.ownerId])
  return lockLog(sql, begun.conversationId)
}

/** Whether a row's place in the list can be shown and folded on: it is what was written, by this version. */
export function isCurrent(row: ConversationRow): boolean {
  return row.version === listing.version && row.checksum === checksumOf(row)
}

/** The state to fold the next entries into; null when it must be made from the log. */
export function listingStateOf(row: ConversationRow): ListingState | null {
  if (row.head === 0) return listing.initial
  return isCurrent(row) ? readListingState(row) : null
}

/** The row of the list. Only for a current row. */
export function shownOf(row: ConversationRow): ConversationListing {
  return readShown(row.shown)
}

/** The columns of the list, in the order of the tables' parameters: owner, archived, changed at, version, shown, state, checksum. */
export function listingValues(state: ListingState): readonly unknown[] {
  const { ownerId, archived, updatedAt, version, shown, state: folded } = toListingRow(state)
  const { conversationId, head } = state
  const checksum = checksumOf({ conversationId, ownerId, head, version, shown, state: folded })
  return [ownerId, archived, updatedAt, version, shown, folded, checksum]
}

/** Writes a row of the list for a log that did not grow. */
export async function writeListing(sql: Sql, state: ListingState): Promise<void> {
  await sql(WRITE_LISTING, [state.conversationId, ...listingValues(state)])
}

function checksumOf(row: Omit<ConversationRow, 'checksum'>): number {
  return rowChecksum([row.conversationId, row.ownerId, row.head, row.version, row.shown, row.state])
}
