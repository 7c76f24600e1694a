import type { EntryOf } from '@holdfast/conversation'

/** What the requests of a turn used, added up. */
export interface UsedTokens {
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
  /** In US dollars; null when the price of one request is not known. */
  readonly costUsd: number | null
  /** False when any of it was estimated. */
  readonly measured: boolean
}

/** Of a turn that has asked nobody yet. */
export const NO_USAGE: UsedTokens = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  costUsd: 0,
  measured: true,
}

/** The sum with one more request. Input tokens are all that were read, from a cache or not, as the AI SDK counts them. */
export function addUsage(sum: UsedTokens, record: EntryOf<'usage-recorded'>): UsedTokens {
  const { inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens, costUsd } = record
  return {
    inputTokens: sum.inputTokens + inputTokens + cacheReadTokens + cacheCreation5mTokens + cacheCreation1hTokens,
    cachedInputTokens: sum.cachedInputTokens + cacheReadTokens,
    outputTokens: sum.outputTokens + record.outputTokens,
    reasoningTokens: sum.reasoningTokens + record.thinkingTokens,
    costUsd: sum.costUsd === null || costUsd === null ? null : sum.costUsd + costUsd,
    measured: sum.measured && record.measured,
  }
}
