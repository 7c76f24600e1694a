import type { RequestUsage } from '../model-port.ts'
import { asCount, asRecord } from '../wire/json-reader.ts'

/** Usage before anything was said of it. */
export const NO_USAGE: RequestUsage = {
  inputTokens: null,
  cacheReadTokens: 0,
  cacheCreation5mTokens: 0,
  cacheCreation1hTokens: 0,
  outputTokens: null,
  thinkingTokens: 0,
}

/**
 * Puts a usage object of the stream over what is known: figures are totals so far, and only those that are there
 * count. Creation is split by its time to live where that is said; a plain total is the five-minute one.
 */
export function readUsage(known: RequestUsage, value: unknown): RequestUsage {
  const usage = asRecord(value)
  if (!usage) return known
  return {
    inputTokens: asCount(usage.input_tokens) ?? known.inputTokens,
    cacheReadTokens: asCount(usage.cache_read_input_tokens) ?? known.cacheReadTokens,
    ...readCreation(known, usage),
    outputTokens: asCount(usage.output_tokens) ?? known.outputTokens,
    thinkingTokens: asCount(asRecord(usage.output_tokens_details)?.thinking_tokens) ?? known.thinkingTokens,
  }
}

function readCreation(
  known: RequestUsage,
  usage: Readonly<Record<string, unknown>>,
): Pick<RequestUsage, 'cacheCreation5mTokens' | 'cacheCreation1hTokens'> {
  const split = asRecord(usage.cache_creation)
  const short = asCount(split?.ephemeral_5m_input_tokens)
  const long = asCount(split?.ephemeral_1h_input_tokens)
  if (short !== null || long !== null) return { cacheCreation5mTokens: short ?? 0, cacheCreation1hTokens: long ?? 0 }
  const total = asCount(usage.cache_creation_input_tokens)
  const { cacheCreation5mTokens, cacheCreation1hTokens } = known
  if (total === null || total === cacheCreation5mTokens + cacheCreation1hTokens)
    return { cacheCreation5mTokens, cacheCreation1hTokens }
  const longPart = Math.min(cacheCreation1hTokens, total)
  return { cacheCreation5mTokens: total - longPart, cacheCreation1hTokens: longPart }
}
