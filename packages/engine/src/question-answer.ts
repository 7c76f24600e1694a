import type { AnswerContent, AnswerProblem } from '@holdfast/conversation'
import type { ConversationCommand } from './command-base.ts'

/** Answers a question of a running call. */
export interface AnswerQuestion extends ConversationCommand {
  readonly questionId: string
  /** `cancel` closes it without an answer. */
  readonly action: 'accept' | 'decline' | 'cancel'
  /** What was filled in, for `accept` of a form. */
  readonly content?: AnswerContent
}

/** Another person was asked. */
export class UnknownQuestionError extends Error {
  override readonly name = 'UnknownQuestionError'
  readonly code = 'unknown-question'
  readonly questionId: string

  constructor(questionId: string) {
    super(`There is no question ${questionId}`)
    this.questionId = questionId
  }
}

/** An answer does not fit what was asked. Nothing was answered. [TOOL11] */
export class AnswerRefusedError extends Error {
  override readonly name = 'AnswerRefusedError'
  readonly code = 'answer-refused'
  readonly questionId: string
  readonly problems: readonly AnswerProblem[]

  constructor(questionId: string, problems: readonly AnswerProblem[]) {
    const words = problems.map(({ field, message }) => `${field}: ${message}`).join('; ')
    super(`The answer does not fit the question: ${words}`)
    this.questionId = questionId
    this.problems = problems
  }
}
