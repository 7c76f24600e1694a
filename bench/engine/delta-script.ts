import type { Reply, SeenRequest } from '@holdfast/conformance'

/** One answer of so many deltas; null deltas a second is as fast as the client reads. */
export interface DeltaOrder {
  readonly deltas: number
  readonly deltasPerSecond: number | null
}

const CHUNKS = ['The ', 'shelf ', 'by the ', 'window ', 'holds ', 'a box', ' of sm', 'all sc', 'rews. ']

/** How a person's text asks for an answer. */
export function wordsOf({ deltas, deltasPerSecond }: DeltaOrder): string {
  return `Write ${deltas} deltas at ${deltasPerSecond ?? 0} a second.`
}

/** Answers what is asked for. */
export function deltaReply({ body }: SeenRequest): Reply {
  const found = /Write (\d+) deltas at (\d+) a second/.exec(JSON.stringify(body))
  if (!found) throw new Error('A request does not say how many deltas it wants')
  const rate = Number(found[2])
  const chunks = Array.from({ length: Number(found[1]) }, (_, index) => CHUNKS[index % CHUNKS.length] ?? '')
  return { parts: [{ type: 'text', text: '', chunks }], ...(rate === 0 ? {} : { deltasPerSecond: rate }) }
}
