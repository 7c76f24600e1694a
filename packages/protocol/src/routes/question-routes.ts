import { type PendingQuestion, QuestionWish } from '@holdfast/conversation'
import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { conversation, nothing } from '../parts/route-parts.ts'

/** A question of a running call that waits for a person. */
const OpenQuestion = z.object({
  id: z.string(),
  runId: z.string(),
  callId: z.string(),
  tool: z.string(),
  /** Who asks, such as the name of a server. */
  source: z.string(),
  message: z.string(),
  wish: QuestionWish,
  /** Milliseconds since the Unix epoch. */
  at: z.int().nonnegative(),
})

/** A question as it travels. */
export function toOpenQuestion(pending: PendingQuestion): z.infer<typeof OpenQuestion> {
  const { questionId, runId, callId, tool, source, message, wish, at } = pending
  return { id: questionId, runId, callId, tool, source, message, wish, at }
}

/** The routes about questions of running calls. */
export const questionRoutes = {
  listQuestions: {
    method: 'GET',
    path: '/conversations/:id/questions',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ questions: z.array(OpenQuestion) }) },
  },
} as const satisfies Readonly<Record<string, Route>>
