import * as z from 'zod'
import { entryOf } from '../envelope.ts'
import { Purpose } from './run-entries.ts'

/**
 * Why a request read less from the prompt cache than the one before it had left there: what changed the bytes, that
 * the cache had `expired`, or, with the bytes as they were, the `provider`. [CACHE4]
 */
export const CacheBreakReason = z.enum([
  'rewind',
  'branch',
  'model',
  'builder',
  'tools',
  'agent',
  'instructions',
  'parameters',
  'checkpoint',
  'checkpoint-undone',
  'window',
  'erasure',
  'thinking-dropped',
  'excerpts',
  'exclusion',
  'expired',
  'provider',
])
export type CacheBreakReason = z.infer<typeof CacheBreakReason>

/** What a request lost of the prompt cache. [CACHE4] */
export const CacheBreak = z.object({
  reason: CacheBreakReason,
  /** The step that had left the prefix in the cache. */
  sinceStepId: z.string().min(1),
  /** Tokens that the cache held and this request did not read from it. */
  lostTokens: z.int().positive(),
  /** What reading them anew cost more, in US dollars; null when a price is not known. */
  lostUsd: z.number().nonnegative().nullable(),
})
export type CacheBreak = z.infer<typeof CacheBreak>

/** One request to a provider, whatever became of it. [COST1] */
export const UsageRecorded = entryOf('usage-recorded', {
  runId: z.string().exactOptional(),
  stepId: z.string().exactOptional(),
  purpose: Purpose,
  providerId: z.string().min(1),
  modelId: z.string().min(1),
  /** Tokens read anew, without cache reads and cache creation. */
  inputTokens: z.int().nonnegative(),
  cacheReadTokens: z.int().nonnegative(),
  cacheCreation5mTokens: z.int().nonnegative(),
  cacheCreation1hTokens: z.int().nonnegative(),
  /** Thinking included. */
  outputTokens: z.int().nonnegative(),
  thinkingTokens: z.int().nonnegative(),
  /** In US dollars at the price of that time; null when the price is not known. [COST3] */
  costUsd: z.number().nonnegative().nullable(),
  /** Where the price is from, such as a catalog and its date; `local` and `demo` are free. */
  priceReference: z.string(),
  /** False when any of the tokens were estimated. */
  measured: z.boolean(),
  outcome: z.enum(['completed', 'stopped', 'failed', 'interrupted']),
  /** True when the record was made elsewhere and came here by import or fork: left out of user and day totals. [COST8] */
  carried: z.boolean(),
  /** HTTP status of the answer, for a request that was passed on; absent where none came. [AGENT25] */
  status: z.int().exactOptional(),
  /** Present when it read less from the cache than it could have. [CACHE4] */
  cacheBreak: CacheBreak.exactOptional(),
})
