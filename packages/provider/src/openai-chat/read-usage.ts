import type { RequestUsage } from '../model-port.ts'
import { asCount, asRecord, type JsonRecord } from '../wire/json-reader.ts'

/** The usage of a chunk, wherever a server puts it; null where there is none. */
export function readChatUsage(chunk: JsonRecord, choice: JsonRecord | null): RequestUsage | null {
  const usage = asRecord(chunk.usage) ?? asRecord(choice?.usage) ?? asRecord(asRecord(chunk.x_groq)?.usage)
  if (!usage) return null
  const promptTokens = asCount(usage.prompt_tokens)
  const completionTokens = asCount(usage.completion_tokens)
  if (promptTokens === null && completionTokens === null) return null
  const promptDetails = asRecord(usage.prompt_tokens_details)
  const cacheReadTokens =
    asCount(promptDetails?.cached_tokens) ?? asCount(usage.prompt_cache_hit_tokens) ?? asCount(usage.cached_tokens) ?? 0
  const cacheCreation5mTokens =
    asCount(promptDetails?.cache_write_tokens) ?? asCount(promptDetails?.cache_creation_tokens) ?? 0
  const thinkingTokens = asCount(asRecord(usage.completion_tokens_details)?.reasoning_tokens) ?? 0
  return {
    inputTokens: promptTokens === null ? null : Math.max(0, promptTokens - cacheReadTokens - cacheCreation5mTokens),
    cacheReadTokens,
    cacheCreation5mTokens,
    cacheCreation1hTokens: 0,
    outputTokens: completionTokens === null ? null : completionTokens + thinkingBeside(usage, thinkingTokens),
    thinkingTokens,
  }
}

/** Most servers count thinking inside the completion; xAI counts it beside, and only the total shows it. */
function thinkingBeside(usage: JsonRecord, thinkingTokens: number): number {
  const total = asCount(usage.total_tokens)
  const inside = (asCount(usage.prompt_tokens) ?? 0) + (asCount(usage.completion_tokens) ?? 0)
  return total !== null && thinkingTokens > 0 && total === inside + thinkingTokens ? thinkingTokens : 0
}
