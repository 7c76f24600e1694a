import { NO_USAGE, readUsage } from '../anthropic/read-usage.ts'
import type { RequestUsage } from '../model-port.ts'
import { asCount, asList, asRecord, asString, type JsonRecord } from '../wire/json-reader.ts'

/**
 * The figures in a vendor's own event, before its package makes its own of them; null where it has none. [STOP8]
 * Packages tell usage at the end only, and leave out how long what was written to a cache is kept.
 */
export function readRawUsage(rawValue: unknown): RequestUsage | null {
  const raw = asRecord(rawValue)
  if (raw?.type === 'message_start') return anthropicUsage(asRecord(asRecord(raw.message)?.usage))
  const converse = asRecord(asRecord(raw?.metadata)?.usage)
  if (converse) return converseUsage(converse)
  const google = asRecord(raw?.usageMetadata)
  return google ? googleUsage(google) : null
}

function anthropicUsage(usage: JsonRecord | null): RequestUsage | null {
  return usage ? readUsage(NO_USAGE, usage) : null
}

/** Bedrock's Converse, in the event after its end. */
function converseUsage(usage: JsonRecord): RequestUsage {
  const long = asList(usage.cacheDetails)
    .map(asRecord)
    .filter((detail) => asString(detail?.ttl) === '1h')
    .reduce((sum, detail) => sum + (asCount(detail?.inputTokens) ?? 0), 0)
  const written = asCount(usage.cacheWriteInputTokens) ?? 0
  return {
    ...NO_USAGE,
    inputTokens: asCount(usage.inputTokens),
    cacheReadTokens: asCount(usage.cacheReadInputTokens) ?? 0,
    cacheCreation1hTokens: Math.min(long, written),
    cacheCreation5mTokens: Math.max(0, written - long),
    outputTokens: asCount(usage.outputTokens),
  }
}

/** Gemini's, which stands in every chunk with the totals so far. Its prompt count holds what was read from the cache. */
function googleUsage(usage: JsonRecord): RequestUsage | null {
  const prompt = asCount(usage.promptTokenCount)
  if (prompt === null) return null
  const cacheReadTokens = Math.min(asCount(usage.cachedContentTokenCount) ?? 0, prompt)
  const thinkingTokens = asCount(usage.thoughtsTokenCount) ?? 0
  const words = asCount(usage.candidatesTokenCount)
  return {
    ...NO_USAGE,
    inputTokens: prompt - cacheReadTokens,
    cacheReadTokens,
    outputTokens: words === null && thinkingTokens === 0 ? null : (words ?? 0) + thinkingTokens,
    thinkingTokens,
  }
}
