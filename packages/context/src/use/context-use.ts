import type { Entry, EntryOf } from '@holdfast/conversation'
import type { ComposedRequest } from '../request/build-request.ts'
import type { ComposedMessage } from '../request/compose-messages.ts'
import { boundariesOf } from '../sent/boundaries.ts'
import { isAnswering } from '../sent/sent-steps.ts'
import { modelFamily } from '../size/model-family.ts'
import { messageSize, NO_SIZE, plus, requestSize, toTokens } from '../size/weight.ts'
import { isRefused, promptTokens } from './token-ratios.ts'

/** What the use of the context is computed from. */
export interface ContextUseSource {
  readonly composed: ComposedRequest
  /** The entries that the request was composed from. */
  readonly entries: readonly Entry[]
  readonly model: { readonly providerId: string; readonly modelId: string }
  /** `ratioOf` the model. */
  readonly ratio: number
  /** Erasures since then make a measurement void: milliseconds since the Unix epoch. */
  readonly erasedAt: number
}

/** How many tokens the context of the path holds. */
export interface ContextTokens {
  readonly usedTokens: number
  /** What decisions count with: 15 % more until something is measured. [COST5] */
  readonly decisionTokens: number
  /** Whether all of it was measured; else some or all is estimated. */
  readonly measured: boolean
}

/** What decisions add to an estimate that rests on no measurement. [COST5] */
export const DECISION_MARGIN = 1.15

/**
 * The context of the path: the last measured request of a turn with its answer, less thinking that is not sent again,
 * plus the estimate of what came since. After a boundary that changed what came before, all is estimated. [COST4]
 */
export function contextTokens(source: ContextUseSource): ContextTokens {
  const { composed, ratio, model } = source
  const family = modelFamily(model.modelId)
  const measured = lastMeasured(source)
  if (!measured) {
    const usedTokens = toTokens(requestSize(composed.request, family), ratio)
    return { usedTokens, decisionTokens: Math.ceil(usedTokens * DECISION_MARGIN), measured: false }
  }
  const { usage, stepSeq, finishedSeq } = measured
  const answer = composed.messages.findIndex(
    ({ seqs, message }) => message.role === 'assistant' && seqs.includes(finishedSeq),
  )
  const since =
    answer < 0 ? composed.messages.filter((message) => isAfter(message, stepSeq)) : composed.messages.slice(answer + 1)
  const thinks = composed.messages[answer]?.message
  const sendsThinking = thinks?.role === 'assistant' && thinks.blocks.some(({ type }) => type === 'thinking')
  const size = since.reduce((sum, { message }) => plus(sum, messageSize(message, family)), NO_SIZE)
  const answerTokens = answer < 0 ? 0 : usage.outputTokens - (sendsThinking ? 0 : usage.thinkingTokens)
  const usedTokens = promptTokens(usage) + answerTokens + toTokens(size, ratio)
  return { usedTokens, decisionTokens: usedTokens, measured: since.length === 0 }
}

interface Measured {
  readonly usage: EntryOf<'usage-recorded'>
  readonly stepSeq: number
  readonly finishedSeq: number
}

/** The newest measured request to this model that still says how large the context is. Titles and summaries do not. [COST4] */
function lastMeasured({ entries, model, erasedAt }: ContextUseSource): Measured | null {
  const usages = new Map<string, EntryOf<'usage-recorded'>>()
  const finished = new Map<string, number>()
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index]
    if (!entry) break
    if (entry.type === 'usage-recorded' && entry.stepId !== undefined) usages.set(entry.stepId, entry)
    if (entry.type === 'step-finished') finished.set(entry.stepId, entry.seq)
    if (entry.type !== 'step-started') {
      if (changesBefore(entry)) return null
      continue
    }
    if (!isAnswering(entry.purpose)) continue
    const usage = usages.get(entry.stepId)
    const isSame = entry.providerId === model.providerId && entry.modelId === model.modelId
    if (!isSame || entry.at <= erasedAt) return null
    if (usage?.measured && !isRefused(usage))
      return { usage, stepSeq: entry.seq, finishedSeq: finished.get(entry.stepId) ?? 0 }
  }
  return null
}

/** A rewind keeps what was measured before the place to which it went. */
function changesBefore(entry: Entry): boolean {
  return boundariesOf([entry]).some(({ brokenFrom, reason }) => brokenFrom !== 'path' && reason !== 'erasure')
}

function isAfter({ seqs }: ComposedMessage, seq: number): boolean {
  return seqs.some((one) => one > seq)
}

/** What a request and its answer hold together, as they were counted. */
export function heldTokens(usage: EntryOf<'usage-recorded'>): number {
  return promptTokens(usage) + usage.outputTokens
}

/** What the meter shows. */
export interface ContextUse {
  readonly usedTokens: number
  readonly measured: boolean
  readonly reservedTokens: number
  readonly windowTokens: number | null
  /** Above 100 when over; null where the window is not known. [COST6] */
  readonly percent: number | null
  readonly isOver: boolean
}

/** The meter: percent = round(used / window x 100); no window, no percent. [COST6] */
export function contextUse(
  { usedTokens, measured }: Pick<ContextTokens, 'usedTokens' | 'measured'>,
  { windowTokens, reservedTokens }: { readonly windowTokens: number | null; readonly reservedTokens: number },
): ContextUse {
  const percent = windowTokens === null ? null : Math.round((usedTokens / windowTokens) * 100)
  return {
    usedTokens,
    measured,
    reservedTokens,
    windowTokens,
    percent,
    isOver: windowTokens !== null && usedTokens > windowTokens,
  }
}
