import type { AnswerContent, QuestionWish } from '@holdfast/conversation'

/** What a running tool asks a person. */
export interface ToolQuestion {
  /** Who asks, as it is shown: the name of a server. */
  readonly source: string
  readonly message: string
  readonly wish: QuestionWish
}

/** What became of it. */
export type ToolAnswer =
  | { readonly type: 'accepted'; readonly content: AnswerContent }
  | { readonly type: 'declined' }
  /** Nobody answered: the reason is for whoever asked. */
  | { readonly type: 'cancelled'; readonly reason: string }

/** Why the signal of a question fires when its call is over: whoever settles the call settles its questions with it. */
export const CALL_OVER = 'call-over'

/**
 * The person whom running calls may ask. An implementer writes the question down before it shows it, lets only that
 * person answer, once and with what fits, and resolves with `cancelled` when the signal fires; it never answers by
 * itself. [TOOL11]
 */
export interface PersonAtHand {
  /** The same for two calls whose questions reach the same person at the same place. */
  readonly place: string
  ask(question: ToolQuestion, options: { readonly signal: AbortSignal }): Promise<ToolAnswer>
}
