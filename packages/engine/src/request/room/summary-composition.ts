import { chunkRequest, extendedRequest, summaryChunks, summaryInstruction } from '@holdfast/context'
import type { BesideSource } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import type { TurnRequest } from '../turn-request.ts'

/** How a request for a summary is made, as its receipt names it. */
export type SummarySource = Extract<BesideSource, { type: 'summary' }>

/** The words of people and models that it holds beside the history. */
export interface SummaryWords {
  /** What a person wants the summary to keep above all. */
  readonly focus: string | null
  /** The summary of the chunks before; null for none. */
  readonly soFar: string | null
}

/** The question for a summary, after all that a turn would send or after one chunk of it, without a bound. [CHK3, CACHE3] */
export function composeSummary(
  at: Pick<TurnRequest, 'request' | 'frozen' | 'composed' | 'ratio'>,
  { wishedTokens, chunk }: Pick<SummarySource, 'wishedTokens' | 'chunk'>,
  { focus, soFar }: SummaryWords,
): ModelRequest {
  const words = summaryInstruction({ wishedTokens, focus })
  if (chunk === undefined) return extendedRequest(at.frozen.request, words)
  const { tokens: chunkTokens, index, fromChar, toChar } = chunk
  const text = chunksOf(at, chunkTokens)[index] ?? ''
  return chunkRequest(at.request, { text: text.slice(fromChar, toChar), soFar, words })
}

/** What a turn would send as texts of at most so many tokens, all of it. [CHK3] */
export function chunksOf({ composed, ratio }: Pick<TurnRequest, 'composed' | 'ratio'>, chunkTokens: number): string[] {
  return summaryChunks(composed.messages, { chunkTokens, ratio })
}
