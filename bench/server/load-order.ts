import * as z from 'zod'

/** Which server is loaded: ours, the AI SDK behind plain HTTP, or a relay that keeps nothing. */
export type LoadedKind = 'holdfast' | 'ai' | 'relay'

/** So many conversations at a time, each with one answer of so many deltas. */
export const LoadOrder = z.object({
  kind: z.enum(['holdfast', 'ai', 'relay']),
  url: z.string(),
  token: z.string(),
  conversations: z.int().positive(),
  deltas: z.int().positive(),
  deltasPerSecond: z.number().positive(),
  /** So many turns of every conversation, one after the other; each begins when the channel says so. */
  turns: z.int().positive(),
  /** Whether the client goes on to follow after it has said what it saw, until its channel closes. */
  stays: z.boolean(),
})
export type LoadOrder = Readonly<z.infer<typeof LoadOrder>>

/** What a client saw of one turn. */
export const LoadSeen = z.object({
  /** From sending to the answer that the message is kept, by conversation, in milliseconds; empty where nobody says so. */
  acceptedMs: z.array(z.number()),
  /** From sending to the provider's first word, by conversation, in milliseconds. */
  askedMs: z.array(z.number()),
  /** From sending to the first delta, by conversation, in milliseconds. */
  firstMs: z.array(z.number()),
  /** From the provider's last delta to the end of the turn, by conversation, in milliseconds. */
  endMs: z.array(z.number()),
  /** From the provider's write to the client's read, a quantile each, in milliseconds. */
  delayP50Ms: z.number(),
  delayP99Ms: z.number(),
  shown: z.int(),
})
export type LoadSeen = Readonly<z.infer<typeof LoadSeen>>

/** How a person's text asks for an answer. */
export function wordsOf({ deltas, deltasPerSecond }: Pick<LoadOrder, 'deltas' | 'deltasPerSecond'>): string {
  return `Write ${deltas} deltas at ${deltasPerSecond} a second.`
}

/** When each delta in a text was written, in milliseconds since the Unix epoch. */
export function stampsIn(text: string): number[] {
  return [...text.matchAll(/<(\d+\.\d+)>/g)].map(([, stamp]) => Number(stamp))
}
