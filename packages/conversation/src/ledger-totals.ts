import * as z from 'zod'

/** Sums over usage records. They never go down. [COST2] */
export const LedgerTotals = z.object({
  requestCount: z.int().nonnegative(),
  /** Tokens that were read anew, without those read from or written to the cache. */
  inputTokens: z.int().nonnegative(),
  cacheReadTokens: z.int().nonnegative(),
  /** Tokens written to the cache for five minutes, and for an hour. */
  cacheCreation5mTokens: z.int().nonnegative(),
  cacheCreation1hTokens: z.int().nonnegative(),
  /** Thinking is part of the output. */
  outputTokens: z.int().nonnegative(),
  thinkingTokens: z.int().nonnegative(),
  /** Sum of the known prices, in US dollars. */
  costUsd: z.number().nonnegative(),
  /** Records whose price is not known: with any, the sum is *at least*. [COST3] */
  unpricedCount: z.int().nonnegative(),
  /** Records whose tokens were estimated. */
  estimatedCount: z.int().nonnegative(),
})
export type LedgerTotals = z.infer<typeof LedgerTotals>

/** The totals of nothing. */
export const noTotals: LedgerTotals = {
  requestCount: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheCreation5mTokens: 0,
  cacheCreation1hTokens: 0,
  outputTokens: 0,
  thinkingTokens: 0,
  costUsd: 0,
  unpricedCount: 0,
  estimatedCount: 0,
}

/** The totals of both. */
export function addTotals(a: LedgerTotals, b: LedgerTotals): LedgerTotals {
  return {
    requestCount: a.requestCount + b.requestCount,
    inputTokens: a.inputTokens + b.inputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheCreation5mTokens: a.cacheCreation5mTokens + b.cacheCreation5mTokens,
    cacheCreation1hTokens: a.cacheCreation1hTokens + b.cacheCreation1hTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    thinkingTokens: a.thinkingTokens + b.thinkingTokens,
    costUsd: a.costUsd + b.costUsd,
    unpricedCount: a.unpricedCount + b.unpricedCount,
    estimatedCount: a.estimatedCount + b.estimatedCount,
  }
}
