import { cacheBreakOf, type PromptCache, textWeight } from '@holdfast/context'
import type { AnswerBlock, CacheBreak, EntryOf, NewEntry } from '@holdfast/conversation'
import { costOf, type ModelRequest, type ProviderError, type RequestUsage } from '@holdfast/provider'
import type { Billed } from '../api/billed.ts'
import type { ModelChoice } from '../api/ports.ts'
import { ENGINE } from '../log/engine-actor.ts'

/** What a usage record is made from. */
export interface RequestMade {
  readonly runId: string
  readonly stepId: string
  readonly purpose: EntryOf<'usage-recorded'>['purpose']
  readonly billed: Billed
  /** What the request was estimated to hold before it was sent. */
  readonly estimatedInputTokens: number
  readonly blocks: readonly AnswerBlock[]
  /** Weight of one token of the model, by which an answer is estimated that was cut. [COST5] */
  readonly ratio: number
  readonly usage: RequestUsage | null
  /** Whether the provider itself ended the answer: only then its last figures are the whole. */
  readonly ended: boolean
  /** Why there is no more of the answer; null where it ended by itself. What no provider read used nothing. */
  readonly cause: ProviderError | null
  readonly outcome: EntryOf<'usage-recorded'>['outcome']
  /** What it lost of the prompt cache; null for nothing. [CACHE4] */
  readonly cacheBreak: CacheBreak | null
}

/** The model of a request as the ledger names it. */
export function billedTo({ modelId, port, facts }: ModelChoice): Billed {
  return { providerId: port.providerId, modelId, price: facts.price }
}

/** The ledger's record of a request: measured where the provider said it, else estimated and marked. [COST1, STOP8] */
export function usageRecord(made: RequestMade): NewEntry {
  const { runId, stepId, purpose, billed, usage, ended, outcome } = made
  const reported = usage?.outputTokens ?? 0
  const isCountedElsewhere = usage?.by === 'gateway'
  const outputTokens =
    isCountedElsewhere || (ended && usage?.outputTokens != null)
      ? reported
      : Math.max(reported, Math.ceil(weightOf(made.blocks) / made.ratio))
  const nothingUsed = isCountedElsewhere || (wasUnread(made) && usage === null)
  const tokens = {
    inputTokens: usage?.inputTokens ?? (nothingUsed ? 0 : made.estimatedInputTokens),
    cacheReadTokens: usage?.cacheReadTokens ?? 0,
    cacheCreation5mTokens: usage?.cacheCreation5mTokens ?? 0,
    cacheCreation1hTokens: usage?.cacheCreation1hTokens ?? 0,
    outputTokens,
  }
  return {
    type: 'usage-recorded',
    actor: ENGINE,
    runId,
    stepId,
    purpose,
    providerId: billed.providerId,
    modelId: billed.modelId,
    ...tokens,
    thinkingTokens: usage?.thinkingTokens ?? 0,
    costUsd: costOf(tokens, billed.price),
    priceReference: billed.price?.reference ?? 'unknown',
    measured: nothingUsed || (ended && isMeasured(usage)),
    outcome,
    carried: false,
    ...(made.cacheBreak === null ? {} : { cacheBreak: made.cacheBreak }),
  }
}

/** Whether the provider itself told all. */
function isMeasured(usage: RequestUsage | null): boolean {
  return usage !== null && usage.by === undefined && usage.inputTokens !== null && usage.outputTokens !== null
}

/** Whether the provider turned the request away before it read it, or never got it. [COST14] */
function wasUnread({ cause, blocks }: RequestMade): boolean {
  return cause !== null && blocks.length === 0 && (cause.status !== null || cause.isUnsent)
}

function weightOf(blocks: readonly AnswerBlock[]): number {
  return blocks.reduce((sum, block) => sum + textWeight(block.type === 'tool-call' ? block.inputText : block.text), 0)
}

/** A request and what came of it, as far as the prompt cache goes. */
export interface CacheUse {
  readonly request: Pick<ModelRequest, 'toolChoice'>
  readonly result: { readonly usage: RequestUsage | null }
  /** What the cache held before; null for a request that begins with nothing of it. */
  readonly cacheBefore: PromptCache | null
  /** When it was made, in milliseconds since the Unix epoch. */
  readonly askedAt: number
}

/** Only what the provider said of the cache tells of a break: without its figures nobody knows. [CACHE4] */
export function brokenCache(
  { request: { toolChoice }, result: { usage }, cacheBefore, askedAt }: CacheUse,
  model: Billed,
): CacheBreak | null {
  if (cacheBefore === null || usage === null || usage.inputTokens === null) return null
  return cacheBreakOf({ before: cacheBefore, model, toolChoice, usage, at: askedAt })
}
