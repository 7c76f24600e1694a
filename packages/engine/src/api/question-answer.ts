import type { AnswerContent } from '@holdfast/conversation'
import type { ConversationCommand } from './command-base.ts'

/** Answers a question of a running call. */
export interface AnswerQuestion extends ConversationCommand {
  readonly questionId: string
  /** `cancel` closes it without an answer. */
  readonly action: 'accept' | 'decline' | 'cancel'
  /** What was filled in, for `accept` of a form; absent where nothing was. */
  readonly content?: AnswerContent
}
