import type { SummaryAnswer } from '@holdfast/context'

/** Why there is no summary: the answer was none, or the request failed. */
export type SummaryFailure =
  | { readonly type: 'no-answer'; readonly reason: Extract<SummaryAnswer, { type: 'failed' }>['reason'] }
  | { readonly type: 'request-failed'; readonly message: string }
  /** The provider found even the smallest part of the history too long. */
  | { readonly type: 'too-long' }

/** Why there is no summary, in words that end a sentence. */
export function whyNoSummary(failure: SummaryFailure): string {
  if (failure.type === 'request-failed') return failure.message
  if (failure.type === 'too-long') return 'not even a small part of the conversation fits into the window.'
  switch (failure.reason) {
    case 'called-a-tool':
      return 'the model called tools instead.'
    case 'empty':
      return 'the model answered with nothing.'
    case 'cut':
      return 'the answer was cut.'
    case 'refused':
      return 'the model refused.'
    case 'over-long':
      return 'what the model wrote was longer than a summary may be, twice.'
  }
}
