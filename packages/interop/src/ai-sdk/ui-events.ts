import type { ServerFrame } from '@holdfast/protocol'
import type { UiChunk } from './ui-chunk.ts'

/** By which a client knows the protocol. */
export const UI_STREAM_HEADERS = { 'x-vercel-ai-ui-message-stream': 'v1', 'x-accel-buffering': 'no' } as const

/** Chunks as server-sent events. JSON has no line breaks, so one `data` line holds each. */
export function toEventText(chunks: readonly UiChunk[], isDone: boolean): string {
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
  return isDone ? `${events}data: [DONE]\n\n` : events
}

/** What keeps a silent stream from being taken for a dead one: a comment, which no client reads. */
export function heartbeatOf({ type }: ServerFrame): string {
  return type === 'caught-up' ? ': waiting\n\n' : ''
}
