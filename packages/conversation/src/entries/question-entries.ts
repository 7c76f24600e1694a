import * as z from 'zod'
import { entryOf, stepEntryOf } from '../envelope.ts'
import { AnswerContent, QUESTION_LIMITS, QuestionWish } from '../question.ts'

/** A running call asks a person something; written before it is shown. [TOOL11] */
export const QuestionAsked = stepEntryOf('question-asked', {
  questionId: z.string().min(1),
  /** Who may answer. */
  userId: z.string().min(1),
  callId: z.string().min(1),
  tool: z.string(),
  /** Who asks, such as the name of a server. */
  source: z.string().min(1),
  message: z.string().max(QUESTION_LIMITS.messageChars),
  wish: QuestionWish,
  /** What the model is asked if the person agrees, where the question is whether it may be; `message` shows all of it. [TOOL13, RUN17] */
  lends: z
    .object({
      system: z.string(),
      messages: z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string() })),
    })
    .exactOptional(),
})

/** A question was answered or called off; the first answer wins. [TOOL11] */
export const QuestionSettled = entryOf('question-settled', {
  questionId: z.string().min(1),
  outcome: z.enum(['accepted', 'declined', 'cancelled']),
  /** What settled it; `call` is the end of the call that asked, or its taking the question back. */
  by: z.enum(['person', 'call', 'stop', 'recovery']),
  /** What a person filled in. */
  content: AnswerContent.exactOptional(),
})
