import type { Segment } from '../segment.ts'

/** How the tokens of one prompt were paid for. */
export interface CacheUsage {
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWrite5mTokens: number
  readonly cacheWrite1hTokens: number
  /** Tokens at the start of this prompt that a later request can read. */
  readonly readableTokens: number
}

/** One prompt as a cache sees it. */
export interface CachedPrompt {
  /** Who shares a cache: key, format, model and what the format adds. */
  readonly owner: string
  readonly segments: readonly Segment[]
  /** Hash of everything up to and with each segment. */
  readonly hashes: readonly string[]
  /** Wall time, ms. */
  readonly at: number
}
