import { CacheBreak, LedgerTotals, Purpose } from '@holdfast/conversation'
import * as z from 'zod'

/** One request to a provider and what it cost. */
export const LedgerRecord = z.object({
  seq: z.int().positive(),
  /** Milliseconds since the Unix epoch. */
  at: z.int().nonnegative(),
  runId: z.string().exactOptional(),
  stepId: z.string().exactOptional(),
  purpose: Purpose,
  providerId: z.string(),
  modelId: z.string(),
  inputTokens: z.int(),
  cacheReadTokens: z.int(),
  cacheCreation5mTokens: z.int(),
  cacheCreation1hTokens: z.int(),
  outputTokens: z.int(),
  thinkingTokens: z.int(),
  /** In US dollars; null when the price is not known. */
  costUsd: z.number().nullable(),
  priceReference: z.string(),
  measured: z.boolean(),
  outcome: z.enum(['completed', 'stopped', 'failed', 'interrupted']),
  /** It was made elsewhere, and counts there. */
  carried: z.boolean(),
  /** HTTP status of the answer to a request that was passed on. [AGENT25] */
  status: z.int().exactOptional(),
  /** What it lost of the prompt cache, and why; absent for nothing. [CACHE4] */
  cacheBreak: CacheBreak.exactOptional(),
})

/** The ledger of a conversation: all totals, and a page of its records, oldest first. */
export const LedgerAnswer = z.object({
  total: LedgerTotals,
  /** Without what came by import or fork. */
  own: LedgerTotals,
  /** What sub-agents have cost by now in conversations of their own, by their own ledgers. [COST12] */
  subAgents: LedgerTotals,
  /** Each of them, with its own sub-agents. */
  subAgentCosts: z.array(
    z.object({
      conversationId: z.string(),
      title: z.string().nullable(),
      totals: LedgerTotals,
      /** False where its log is gone: then it is what it had cost when it reported. */
      isHere: z.boolean(),
    }),
  ),
  /** The newest accounting lines whose totals are not those of the records before them, oldest first. [COST13] */
  wrongTotals: z.array(z.object({ seq: z.int().positive(), written: LedgerTotals, folded: LedgerTotals })),
  byModel: z.record(z.string(), LedgerTotals),
  byPurpose: z.record(z.string(), LedgerTotals),
  /** What was lost of the prompt cache. [CACHE4, REQ5] */
  cacheLosses: z.object({
    breakCount: z.int().nonnegative(),
    lostTokens: z.int().nonnegative(),
    lostUsd: z.number().nonnegative(),
    unpricedCount: z.int().nonnegative(),
    /** The newest breaks, oldest first. */
    newest: z.array(CacheBreak.extend({ seq: z.int().positive(), at: z.int().nonnegative() })),
  }),
  records: z.array(LedgerRecord),
  /** Give it as `before` for the records before these; null at the beginning. */
  next: z.int().nullable(),
})
export type LedgerAnswer = z.infer<typeof LedgerAnswer>

/** What usage is summed up by. */
export const UsageGroup = z.enum(['day', 'model', 'payer', 'agent', 'conversation', 'user'])
export type UsageGroup = z.infer<typeof UsageGroup>

/** What the requests of a user cost. A record counts once, where it was made. [COST8] */
export const UsageAnswer = z.object({
  by: UsageGroup,
  /** The key is a day (UTC), `provider/model`, or the id of who pays (a provider, or an agent by its own sign-in), of an agent, conversation or user; empty for no agent. */
  rows: z.array(z.object({ key: z.string(), totals: LedgerTotals })),
  total: LedgerTotals,
})
export type UsageAnswer = z.infer<typeof UsageAnswer>
