import { CacheBreakReason } from '@holdfast/conversation'
import * as z from 'zod'
import { ComposerContent } from '../parts/sent-content.ts'
import { SettingsChanges } from '../parts/settings-changes.ts'

const tokens = z.int().nonnegative()
const range = z.object({ low: z.number().nonnegative(), high: z.number().nonnegative() })

/** What the next message would be, and what would be changed before it. Nothing of it is written. */
export const priceFields = {
  /** The words that would be sent; absent for none yet. */
  content: ComposerContent.default([]),
  /** Settings that would be changed first: model, mode, tools. */
  settings: SettingsChanges.exactOptional(),
  /** Where the path would go back to first, as an edit does: 0, or the end of an exchange. */
  toSeq: z.int().nonnegative().exactOptional(),
  /** A result would be left out first, or taken back. [TOOL10] */
  exclusion: z.strictObject({ resultSeq: z.int().positive(), isExcluded: z.boolean() }).exactOptional(),
  /** A checkpoint would be made first. */
  checkpoint: z.literal(true).exactOptional(),
}

/** What a request costs before it is made. All of it is estimated. */
export const RequestPriceRow = z.object({
  /** The whole prompt; the four that follow add up to it. */
  promptTokens: tokens,
  /** Read anew. */
  inputTokens: tokens,
  cacheReadTokens: tokens,
  cacheCreation5mTokens: tokens,
  cacheCreation1hTokens: tokens,
  /** By what answers here have had so far; null before the first. */
  outputTokens: range.nullable(),
  /** Without the answer, in US dollars; null where a price is not known. */
  promptUsd: z.number().nonnegative().nullable(),
  /** With the answer; null where a price is not known, or the answer's length. */
  usd: range.nullable(),
})
export type RequestPriceRow = z.infer<typeof RequestPriceRow>

/** What the provider's prompt cache is expected to give the next request. */
export const CacheOutlookRow = z.object({
  state: z.enum(['warm', 'cold', 'empty', 'off']),
  /** Tokens of the request that the cache has, or had while it was warm. */
  keptTokens: tokens,
  /** Until when it is warm, by each time to live; milliseconds since the Unix epoch. */
  warmUntil: z.object({ '5m': z.int().nullable(), '1h': z.int().nullable() }),
  /** The last entry whose bytes the cache has. */
  keptToSeq: z.int().nullable(),
})
export type CacheOutlookRow = z.infer<typeof CacheOutlookRow>

/** What the next message would cost. */
export const PriceAnswer = z.object({
  modelId: z.string(),
  /** Where the prices are from: a catalog, `local`, `demo`; null where none is known. */
  priceReference: z.string().nullable(),
  /** Now, and when the cache has gone cold. */
  price: z.object({ now: RequestPriceRow, cold: RequestPriceRow, cache: CacheOutlookRow }),
  /** A checkpoint would be made by itself before it, at a cost of its own. */
  isSummaryDue: z.boolean(),
  /** What the change would do; null where none was asked about. */
  change: z
    .object({
      /** What of the prefix it would break, and why; empty for nothing. [REQ5] */
      breaks: z.array(
        z.object({
          reason: CacheBreakReason.exclude(['expired', 'provider']),
          brokenFrom: z.enum(['tools', 'system', 'messages', 'path']),
        }),
      ),
      /** Tokens that the cache has now and that would be read anew. */
      lostTokens: tokens,
      /** What that costs more; null where prices are not known. */
      lostUsd: z.number().nonnegative().nullable(),
      /** The same message without the change. */
      before: RequestPriceRow,
      /** The request for the summary, where a checkpoint would be made; its answer at its longest. */
      summary: RequestPriceRow.nullable(),
    })
    .nullable(),
})
export type PriceAnswer = z.infer<typeof PriceAnswer>
