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

/** What something that a running tool speaks to wants to ask the model of the conversation. */
export interface LoanRequest {
  /** Who asks, as it is shown: the name of a server. */
  readonly source: string
  /** Empty for none. */
  readonly system: string
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
  readonly maxOutputTokens: number
}

/** What became of it. */
export type LentAnswer =
  | {
      readonly type: 'answered'
      readonly text: string
      readonly modelId: string
      /** Whether it ended at its length. */
      readonly isCut: boolean
    }
  /** Nothing was asked, or no answer came: the reason is for whoever asked. */
  | { readonly type: 'refused'; readonly reason: string }

/** Why the signal of a question fires when its call is over: whoever settles the call settles its questions with it. */
export const CALL_OVER = 'call-over'

/**
 * The person whom running calls may ask. An implementer writes the question down before it shows it, lets only that
 * person answer, once and with what fits, and resolves with `cancelled` when the signal fires; it never answers by
 * itself. [TOOL11]
 */
export interface PersonAtHand {
  /** One value for two calls whose questions reach the same person at the same place. */
  readonly place: string
  ask(question: ToolQuestion, options: { readonly signal: AbortSignal }): Promise<ToolAnswer>
  /**
   * Lends the model of the conversation, where that can be. An implementer asks the person first, shows all words that
   * are sent, counts the cost, keeps within the budgets, and runs nothing that the model calls. [TOOL13]
   */
  lendModel?(wish: LoanRequest, options: { readonly signal: AbortSignal }): Promise<LentAnswer>
}
