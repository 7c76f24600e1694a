import { boundariesBetween, boundariesOf, familyEstimator, modelFamily, requestSize, toTokens } from '@holdfast/context'
import type { Entry, EntryOf } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'

/** A measured request, and what it was made of. */
export interface MeasuredRequest {
  readonly step: EntryOf<'step-started'>
  readonly usage: EntryOf<'usage-recorded'>
  readonly request: ModelRequest
  readonly measured: number
}

/** By how much the estimate of what came between requests is off, and how many could not be compared. */
export interface Growths {
  /** As a share of what was measured. */
  readonly errors: readonly number[]
  /** Pairs of requests of which the transcript does not hold what was sent, by what it lacks. */
  readonly leftOut: Readonly<Record<Lack, number>>
}

/**
 * What a transcript lacks of the second request of two. None of these looks at the estimate: `thinking` stands in the
 * answer and no figure says what it came to, since what is written down is a summary; `earlier-thinking` is taken away
 * by the provider where a new turn begins; `excerpt` was sent whole by the other program and is cut here.
 */
export type Lack = 'thinking' | 'earlier-thinking' | 'excerpt'

/** What came is compared once it makes so many tokens, as a first request does with its tools. */
const UNLEARNT_TOKENS = 2_000

/** The mark that a request has where a text is longer than is sent. */
const CUT = /\[… (?:excerpt: )?\d+ (?:of \d+ )?characters left out/

/**
 * Compares what came between measured requests with what they grew by, less the thinking that was measured. No first
 * request of the corpus is known whole: other programs keep their instructions and tools to themselves. [WIN12]
 */
export function compareGrowths(log: readonly Entry[], measured: readonly MeasuredRequest[]): Growths {
  const boundaries = boundariesOf(log)
  const errors: number[] = []
  const leftOut = { thinking: 0, 'earlier-thinking': 0, excerpt: 0 }
  let [estimated, grown] = [0, 0]
  let thought = false
  for (const [index, next] of measured.entries()) {
    const last = measured[index - 1]
    if (last === undefined) continue
    const { step, request } = next
    const thinks = log
      .slice(last.step.seq, step.seq - 1)
      .some((entry) => entry.type === 'step-finished' && entry.blocks.some(({ type }) => type === 'thinking'))
    const isNewTurn = last.step.runId !== step.runId
    thought ||= thinks || last.usage.thinkingTokens > 0
    const isGrowth =
      last.step.modelId === step.modelId &&
      last.measured < next.measured &&
      last.request.messages.length <= request.messages.length &&
      boundariesBetween(boundaries, { afterSeq: last.step.seq, toSeq: step.seq }).length === 0
    const fresh = request.messages.slice(last.request.messages.length)
    const lack = !isGrowth
      ? null
      : thinks && last.usage.thinkingTokens === 0
        ? 'thinking'
        : isNewTurn && thought
          ? 'earlier-thinking'
          : CUT.test(JSON.stringify(fresh))
            ? 'excerpt'
            : null
    if (lack !== null) leftOut[lack]++
    if (!isGrowth || lack !== null) {
      estimated = 0
      grown = 0
      continue
    }
    const parts = { ...request, system: '', tools: [], messages: fresh }
    estimated += toTokens(requestSize(parts, modelFamily(step.modelId)), familyEstimator.tokenWeight(step))
    grown += next.measured - last.measured - last.usage.thinkingTokens
    if (grown < UNLEARNT_TOKENS) continue
    errors.push(Math.abs(estimated - grown) / grown)
    estimated = 0
    grown = 0
  }
  return { errors, leftOut }
}
