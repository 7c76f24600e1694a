import type { Boundary, PricedRequest, RequestPrice } from '@holdfast/context'
import type { InputPart, Json } from '@holdfast/conversation'
import type { NewConversation } from './new-conversation.ts'

/** Asks what the next message would cost, and what a change before it would. Nothing of it is written. */
export interface PriceInquiry {
  readonly conversationId: string
  /** The words that would be sent; empty for none yet. */
  readonly content: readonly InputPart[]
  /** Settings that would be changed first. */
  readonly changes?: Readonly<Record<string, Json>>
  /** Where the path would go back to first: 0, or the end of an exchange. */
  readonly toSeq?: number
  /** A result that would be left out first, or taken back. [TOOL10] */
  readonly exclusion?: { readonly resultSeq: number; readonly isExcluded: boolean }
  /** Whether a checkpoint would be made first. */
  readonly checkpoint?: true
}

/** Asks what the first message of a conversation would cost that nobody has begun. */
export interface NewPriceInquiry extends NewConversation {
  readonly content: readonly InputPart[]
}

/** What the next message would cost. All of it is estimated, by the functions that make the request. */
export interface NextPrice {
  readonly modelId: string
  /** Where the prices are from; null where none is known. */
  readonly priceReference: string | null
  readonly price: PricedRequest
  /** Whether a checkpoint would be made by itself before it, at a cost of its own. */
  readonly isSummaryDue: boolean
  /** What the change would do; null where none was asked about. */
  readonly change: PriceOfChange | null
}

/** What a change costs beside the words. */
export interface PriceOfChange {
  /** What of the prefix it would break, and why; empty for nothing. [REQ5] */
  readonly breaks: readonly Pick<Boundary, 'reason' | 'brokenFrom'>[]
  /** Tokens that the cache has now and that would be read anew. */
  readonly lostTokens: number
  /** What that costs more at the prices that would hold; null where they are not known. */
  readonly lostUsd: number | null
  /** The same message without the change. */
  readonly before: RequestPrice
  /** The request for the summary, where a checkpoint would be made; its answer at its longest. */
  readonly summary: RequestPrice | null
}
