import type { EntryOf } from '@holdfast/conversation'

/** Tokens and money of one request, or of several together. */
export interface UsageSums {
  /** Read anew, without cache reads and cache creation. */
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreationTokens: number
  /** All of them together. */
  readonly totalTokens: number
  /** Null when the price of any of it is not known. */
  readonly costUsd: number | null
  /** False when any of it was estimated. */
  readonly measured: boolean
}

/** The figures of no request. */
export const NO_USAGE: UsageSums = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  totalTokens: 0,
  costUsd: 0,
  measured: true,
}

/** A ledger record as figures. */
export function figuresOf(usage: EntryOf<'usage-recorded'>): UsageSums {
  const { inputTokens, outputTokens, cacheReadTokens, costUsd, measured } = usage
  const cacheCreationTokens = usage.cacheCreation5mTokens + usage.cacheCreation1hTokens
  const totalTokens = inputTokens + outputTokens + cacheReadTokens + cacheCreationTokens
  return { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens, totalTokens, costUsd, measured }
}

/** The figures of both; a sum with an unknown cost has none. [COST3] */
export function sumOf(a: UsageSums, b: UsageSums): UsageSums {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheCreationTokens: a.cacheCreationTokens + b.cacheCreationTokens,
    totalTokens: a.totalTokens + b.totalTokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
    measured: a.measured && b.measured,
  }
}
