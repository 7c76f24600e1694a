import type { Finish, UsageMode } from './reply.ts'

/** Tokens of one request, each counted once. */
export interface UsageFigures {
  /** Neither read from the cache nor written to it. */
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWrite5mTokens: number
  readonly cacheWrite1hTokens: number
  /** All that was written, thinking included. */
  readonly outputTokens: number
  readonly thinkingTokens: number
}

/** A reply's part with its ids and signatures, ready to be encoded. */
export type AnswerPart =
  | { readonly type: 'text'; readonly text: string; readonly chunks: Iterable<string> }
  | {
      readonly type: 'thinking'
      readonly text: string
      readonly chunks: Iterable<string>
      readonly signature: string | undefined
    }
  | { readonly type: 'redacted-thinking'; readonly data: string }
  | {
      readonly type: 'tool-call'
      readonly id: string | undefined
      readonly name: string
      /** OpenAI's Responses alone have them. */
      readonly namespace: string | undefined
      /** As it is sent: mostly JSON. */
      readonly input: string
      readonly chunks: Iterable<string>
      /** Gemini's signature of the first call of a step. */
      readonly signature: string | undefined
    }
  | { readonly type: 'unknown' }

/** All that an encoder needs to write one answer. */
export interface Answer {
  readonly id: string
  readonly model: string
  readonly parts: readonly AnswerPart[]
  readonly finish: Finish
  readonly usage: UsageFigures
  readonly usageMode: UsageMode
  readonly reversedIndexes: boolean
  readonly createdSeconds: number
  /** What the client asked to have told: Chat Completions sends usage only on request. */
  readonly includeUsage: boolean
}

/** The place of a part among the blocks as the answer numbers them. */
export function indexOf(answer: Answer, position: number): number {
  return answer.reversedIndexes ? answer.parts.length - 1 - position : position
}

/** The figures as they are told: negative where a script wants that. */
export function toldUsage({ usage, usageMode }: Answer): UsageFigures {
  if (usageMode !== 'negative') return usage
  return {
    inputTokens: -usage.inputTokens - 1,
    cacheReadTokens: -usage.cacheReadTokens,
    cacheWrite5mTokens: -usage.cacheWrite5mTokens,
    cacheWrite1hTokens: -usage.cacheWrite1hTokens,
    outputTokens: -usage.outputTokens - 1,
    thinkingTokens: -usage.thinkingTokens,
  }
}
