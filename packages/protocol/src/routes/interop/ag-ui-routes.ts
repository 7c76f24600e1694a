import * as z from 'zod'
import type { Route } from '../../parts/route.ts'
import { nothing } from '../../parts/route-parts.ts'
import { MAX_TEXT_LENGTH, OutsideId } from '../../parts/sent-content.ts'

/** One part of a message as clients of AG-UI send it. */
const AgUiPart = z.looseObject({
  type: z.string(),
  text: z.string().max(MAX_TEXT_LENGTH).exactOptional(),
  source: z.looseObject({ type: z.string(), value: z.string() }).exactOptional(),
})

/** A message of a user, as clients of AG-UI send it. */
export const AgUiUserMessage = z.looseObject({
  id: OutsideId,
  role: z.literal('user'),
  content: z.union([z.string().max(MAX_TEXT_LENGTH), z.array(AgUiPart).max(1_000)]),
})
export type AgUiUserMessage = z.infer<typeof AgUiUserMessage>

/** What a client of AG-UI sends. Of its messages only the last is read: the log is the history. */
export const AgUiRun = z.looseObject({
  /** The id of the conversation; made when there is none. */
  threadId: OutsideId,
  runId: OutsideId,
  messages: z.array(z.unknown()).max(100_000),
  tools: z.array(z.unknown()).max(10_000).nullish(),
  context: z.array(z.unknown()).max(10_000).nullish(),
  state: z.unknown().optional(),
  forwardedProps: z.unknown().optional(),
  /** What a person said about what waited when the run before ended. */
  resume: z
    .array(
      z.looseObject({
        interruptId: OutsideId,
        status: z.enum(['resolved', 'cancelled']),
        payload: z.unknown().optional(),
      }),
    )
    .max(1_000)
    .nullish(),
})
export type AgUiRun = z.infer<typeof AgUiRun>

/** The route for clients of AG-UI. */
export const agUiRoutes = {
  /** A turn as events of AG-UI 1.0. A client that leaves stops nothing: the same message sent again tells the turn again, from its start. */
  runOfAgUi: {
    method: 'POST',
    path: '/interop/ag-ui/run',
    access: 'user',
    gives: 'text/event-stream',
    params: nothing,
    query: nothing,
    body: AgUiRun,
    answers: { 200: nothing },
  },
} as const satisfies Readonly<Record<string, Route>>
