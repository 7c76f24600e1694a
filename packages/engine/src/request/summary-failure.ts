import type { SummaryAnswer } from '@holdfast/context'

/** Why there is no summary: the answer was none, or the request failed. */
export type SummaryFailure =
  | { readonly type: 'no-answer'; readonly reason: Extract<SummaryAnswer, { type: 'failed' }>['reason'] }
  | { readonly type: 'request-failed'; readonly message: string }

/** Why there is no summary, in words that end a sentence. */
export function whyNoSummary(failure: SummaryFailure): string {
  if (failure.type === 'request-failed') return failure.message
  switch (failure.reason) {
    case 'called-a-tool':
      return 'the model called tools instead.'
    case 'empty':
      return 'the model answered with nothing.'
    case 'cut':
      return 'the answer was cut.'
    case 'refused':
      return 'the model refused.'
  }
}
