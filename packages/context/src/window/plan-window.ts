import type { Entry, EntryOf } from '@holdfast/conversation'
import type { ComposedRequest } from '../request/build-request.ts'
import { type Exchange, exchangesOf } from '../sent/exchanges.ts'
import { startSeqOf } from '../sent/request-head.ts'
import { modelFamily } from '../size/model-family.ts'
import { textWeight } from '../size/text-weight.ts'
import { headSize, messageSize } from '../size/weight.ts'
import type { ContextLimits } from './limits.ts'
import { type Estimating, messageTokens, openingTokens, tokensOf } from './sized-messages.ts'

/** What a window is planned from. */
export interface WindowSource extends Estimating {
  readonly composed: ComposedRequest
  /** The entries that the request was composed from. */
  readonly entries: readonly Entry[]
  readonly limits: ContextLimits
}

/** What the window holds besides exchanges, and what is left for them, in tokens. [WIN1] */
export interface WindowBudget {
  readonly systemTokens: number
  readonly toolTokens: number
  /** The summary, what is carried over, and notes about what is left out. */
  readonly openingTokens: number
  readonly budgetTokens: number
}

/** An exchange with its size in the request. */
export interface SizedExchange extends Exchange {
  readonly tokens: number
}

/** The body of a `window-moved`, without how many messages that leaves out: whoever writes it has all of them. [WIN7] */
export type WindowMove = Pick<EntryOf<'window-moved'>, 'startSeq' | 'checkpointSeq'>

/** What is to be done about the size of the next request. */
export type WindowPlan =
  | { readonly type: 'fits' }
  /** What makes it fit, or comes as near as whole exchanges allow. [WIN2] */
  | { readonly type: 'move'; readonly moved: WindowMove; readonly fits: boolean }
  /** Only the current exchange is left, and it does not fit. */
  | { readonly type: 'too-large'; readonly parts: readonly RequestPart[] }

/** A part of a request that is too large, for the words of the refusal. [WIN1] */
export interface RequestPart {
  readonly name: 'system' | 'tools' | 'summary' | 'input'
  readonly tokens: number
}

/** The start moves so far at once that a quarter of the budget is free again. [WIN4] */
const FILLED_AFTER_MOVE = 0.75

/** What the exchanges of a request may use: window - reserved output - system - tools - what stands first. [WIN1] */
export function windowBudget(source: WindowSource): WindowBudget {
  const { composed, limits } = source
  const head = headSize(composed.request)
  const [first] = composed.messages
  const systemTokens = tokensOf(head.system, source)
  const toolTokens = tokensOf(head.tools, source)
  const opening = first ? openingTokens(first, source) : 0
  const budgetTokens = limits.windowTokens - limits.reservedOutputTokens - systemTokens - toolTokens - opening
  return { systemTokens, toolTokens, openingTokens: opening, budgetTokens }
}

/** The exchanges of a request with their sizes, oldest first. */
export function sizedExchanges(
  source: Estimating & { readonly composed: ComposedRequest; readonly entries: readonly Entry[] },
): SizedExchange[] {
  const { composed, entries } = source
  const startSeq = startSeqOf(composed.head)
  const exchanges = exchangesOf(entries.filter(({ seq }) => seq >= startSeq))
  const sums = exchanges.map(() => ({ tokens: 0 }))
  let at = 0
  for (const message of composed.messages) {
    const seq = message.seqs.find((one) => one >= startSeq)
    while (seq !== undefined && at + 1 < exchanges.length && seq > (exchanges[at]?.endSeq ?? 0)) at++
    const sum = sums[at]
    if (sum) sum.tokens += messageTokens(message, source)
  }
  return exchanges.map((exchange, index) => ({ ...exchange, tokens: 0, ...sums[index] }))
}

/**
 * Whether the exchanges fit, and where else the window starts. It is made of whole exchanges, newest first, always
 * holds the current one, and moves by at least a quarter of the budget, so that it does not move at every turn. It
 * is planned between runs, never inside one. [WIN2, WIN4]
 */
export function planWindow(source: WindowSource): WindowPlan {
  const budget = windowBudget(source)
  const exchanges = sizedExchanges(source)
  const total = exchanges.reduce((sum, { tokens }) => sum + tokens, 0)
  if (total <= budget.budgetTokens) return { type: 'fits' }
  const current = exchanges.at(-1)
  if (!current || exchanges.length === 1) return { type: 'too-large', parts: partsOf(budget, current?.tokens ?? 0) }
  let kept = total
  let first = 0
  while (first < exchanges.length - 1 && kept > budget.budgetTokens * FILLED_AFTER_MOVE) {
    kept -= exchanges[first]?.tokens ?? 0
    first++
  }
  return { type: 'move', moved: startAt(source, exchanges[first] ?? current), fits: kept <= budget.budgetTokens }
}

/**
 * The move of the window that leaves out what was not read: to the first exchange whose beginning is among the entries,
 * if there is any. [WIN13]
 */
export function planUnreadLeftOut(source: WindowSource): WindowMove | null {
  const first = exchangesOf(source.entries).find(({ inputSeqs }) => inputSeqs.length > 0)
  return first ? startAt(source, first) : null
}

function startAt({ composed: { head } }: WindowSource, { startSeq }: Exchange): WindowMove {
  return head.checkpoint ? { startSeq, checkpointSeq: head.checkpoint.seq } : { startSeq }
}

/** Tokens by which the summary that counts is longer than one may be: a checkpoint takes them off. [CHK10] */
export function summaryExcess(source: WindowSource): number {
  const { checkpoint } = source.composed.head
  if (checkpoint === null) return 0
  const tokens = tokensOf({ weight: textWeight(checkpoint.summary), mediaTokens: 0 }, source)
  return Math.max(0, tokens - source.limits.summaryTokens)
}

/** Tokens that no room-making takes off: system, tools, the current input and the least that stands before it. [WIN1] */
export function irreducibleTokens(source: WindowSource): number {
  const { systemTokens, toolTokens, openingTokens } = windowBudget(source)
  return systemTokens + toolTokens + openingTokens - summaryExcess(source) + currentInputTokens(source)
}

/** System, tools and the current input alone, where they do not fit, largest first; null where they do. [WIN1] */
export function irreducibleParts(source: WindowSource): readonly RequestPart[] | null {
  const budget = windowBudget(source)
  const inputTokens = currentInputTokens(source)
  return inputTokens <= budget.budgetTokens + summaryExcess(source) ? null : partsOf(budget, inputTokens)
}

/** Tokens of what was said first in the current exchange; 0 where it is not sent as it is. */
function currentInputTokens(source: WindowSource): number {
  const inputSeq = exchangesOf(source.entries).at(-1)?.inputSeqs[0]
  const input = source.composed.messages.find(({ seqs }) => inputSeq !== undefined && seqs.includes(inputSeq))
  if (input?.message.role !== 'user') return 0
  const parts = input.message.parts.filter((_, index) => input.origins[index]?.seq === inputSeq)
  return tokensOf(messageSize({ role: 'user', parts }, modelFamily(source.modelId)), source)
}

function partsOf(budget: WindowBudget, inputTokens: number): RequestPart[] {
  const parts: RequestPart[] = [
    { name: 'system', tokens: budget.systemTokens },
    { name: 'tools', tokens: budget.toolTokens },
    { name: 'summary', tokens: budget.openingTokens },
    { name: 'input', tokens: inputTokens },
  ]
  return parts.filter(({ tokens }) => tokens > 0).sort((one, other) => other.tokens - one.tokens)
}
