import type { EntryOf } from '../entry.ts'
import type { TranscriptUsage } from './transcript-item.ts'

/** What a reader is shown of a record of the ledger. */
export function usageOf(entry: EntryOf<'usage-recorded'>): TranscriptUsage {
  const { inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens } = entry
  const { outputTokens, thinkingTokens, costUsd, measured, providerId, modelId, priceReference } = entry
  return {
    inputTokens,
    cacheReadTokens,
    cacheCreation5mTokens,
    cacheCreation1hTokens,
    outputTokens,
    thinkingTokens,
    costUsd,
    measured,
    providerId,
    modelId,
    priceReference,
  }
}
