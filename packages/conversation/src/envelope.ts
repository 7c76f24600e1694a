import * as z from 'zod'

/** Who did it. */
export const Actor = z.discriminatedUnion('type', [
  z.object({ type: z.literal('person'), userId: z.string().min(1) }),
  z.object({ type: z.literal('engine') }),
  z.object({ type: z.literal('agent'), agentId: z.string().min(1) }),
  z.object({ type: z.literal('schedule'), scheduleId: z.string().min(1) }),
])
export type Actor = z.infer<typeof Actor>

/** What every entry says beside its body. */
const common = {
  actor: Actor,
  /** The command that caused the entry, so that the client that sent it knows its own. [SYNC2] */
  commandId: z.string().exactOptional(),
}

/** The schema of one kind of entry that belongs to the conversation. */
export function entryOf<Type extends string, Body extends z.core.$ZodLooseShape>(type: Type, body: Body) {
  return z.object({ type: z.literal(type), ...common, ...body })
}

/** The schema of one kind of entry that belongs to a run. [RUN1] */
export function runEntryOf<Type extends string, Body extends z.core.$ZodLooseShape>(type: Type, body: Body) {
  return z.object({ type: z.literal(type), ...common, runId: z.string().min(1), ...body })
}

/** The schema of one kind of entry that belongs to a step of a run. */
export function stepEntryOf<Type extends string, Body extends z.core.$ZodLooseShape>(type: Type, body: Body) {
  return z.object({
    type: z.literal(type),
    ...common,
    runId: z.string().min(1),
    stepId: z.string().min(1),
    ...body,
  })
}

/** Where an entry stands. */
export const Position = z.object({
  conversationId: z.string().min(1),
  /** Place in the log: 1, 2, 3, … without gaps. The only order there is. [LOG1] */
  seq: z.int().positive(),
  /** When it was appended, in milliseconds since the Unix epoch. For display, never for order. */
  at: z.int().nonnegative(),
  /** Version of the schema of this kind of entry. [LOG6] */
  v: z.int().positive(),
})
export type Position = z.infer<typeof Position>
