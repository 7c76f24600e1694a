import type { ConversationListing } from '../projections/listing.ts'
import type { SearchQuery } from '../search-text.ts'

/** Which part of the list to read; newest change first. */
export interface ListQuery {
  readonly ownerId: string
  readonly archived: boolean
  readonly limit: number
  /** Goes on after this row of the page before. */
  readonly before?: { readonly updatedAt: number; readonly conversationId: string }
}

/** Where a search found something. */
export interface SearchHit {
  readonly conversationId: string
  readonly title: string | null
  /** The entry whose text has the words. */
  readonly seq: number
  readonly at: number
  /** The passage around the first hit, with the ranges of the found words in it, in UTF-16 code units. */
  readonly snippet: string
  readonly highlights: readonly { readonly from: number; readonly to: number }[]
}

/** What is asked of the search. */
export interface SearchRequest {
  readonly ownerId: string
  readonly query: SearchQuery
  readonly limit: number
}

/** Indexes over all logs of an owner: written with the entries, and can be rebuilt from them. [PRJ5] */
export interface ConversationIndex {
  /** A page of the list. */
  listConversations(query: ListQuery): Promise<readonly ConversationListing[]>

  /** The row of one conversation, or null when there is no such log. */
  readListing(conversationId: string): Promise<ConversationListing | null>

  /** Messages and titles that hold all phrases of the query, newest first. */
  search(request: SearchRequest): Promise<readonly SearchHit[]>

  /** Makes the rows of one conversation anew from its log. */
  reindex(conversationId: string): Promise<void>
}
