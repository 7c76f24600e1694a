import * as z from 'zod'

/** Who takes part: our engine, the AI SDK, and a client that only counts. */
export const ContenderName = z.enum(['engine', 'ai', 'bare'])
export type ContenderName = z.infer<typeof ContenderName>

/** So many turns at a time, each of so many deltas. */
export const ContenderOrder = z.object({
  turns: z.int(),
  deltas: z.int(),
  deltasPerSecond: z.number().nullable(),
})
export type ContenderOrder = Readonly<z.infer<typeof ContenderOrder>>

/** What a contender's process tells. */
export const ContenderMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('done'),
    /** Deltas that were shown. */
    shown: z.int(),
    /** Processor time of the process, in microseconds. */
    cpuUs: z.number(),
    elapsedMs: z.number(),
  }),
  z.object({ type: z.literal('failed'), message: z.string() }),
])
export type ContenderMessage = z.infer<typeof ContenderMessage>
