import type { ServerFrame } from '@holdfast/protocol'
import { offsetOf } from './stream-place.ts'

/** Writes the entries of a conversation as a live stream: a message of entries, and after each where it ends. */
export interface StreamEvents {
  encode(frame: ServerFrame): string
  isDone(): boolean
}

/** Streams are closed after a while, so that a balancer may move them; clients come again where they were. In milliseconds. */
const MOST_MS = 60_000

/** Begins a live stream at an offset. */
export function createStreamEvents({
  after,
  cursor,
  now,
}: {
  readonly after: number
  readonly cursor: () => string
  readonly now: () => number
}): StreamEvents {
  const startedAt = now()
  let seq = after
  let isUpToDate = false
  let isFailed = false

  function control(): string {
    const said = { streamNextOffset: offsetOf(seq), streamCursor: cursor(), ...(isUpToDate ? { upToDate: true } : {}) }
    return `event: control\ndata: ${JSON.stringify(said)}\n\n`
  }

  return {
    encode(frame) {
      if (frame.type === 'refused') isFailed = true
      if (frame.type === 'caught-up') {
        isUpToDate = true
        return control()
      }
      if (frame.type !== 'entries' || frame.entries.length === 0) return ''
      seq = frame.entries.at(-1)?.seq ?? seq
      return `event: data\ndata: ${JSON.stringify(frame.entries)}\n\n${control()}`
    },
    isDone: () => isFailed || now() - startedAt >= MOST_MS,
  }
}
