import type { ServerResponse } from 'node:http'
import type { Clock } from '@holdfast/conversation'
import type { ServerFrame } from '@holdfast/protocol'
import type { FastifyReply } from 'fastify'
import { toProblem, withoutPlaces } from '../parts/to-problem.ts'
import { encodeOnce } from './encode-frame.ts'
import { createFollower, type FollowerDeps } from './follower.ts'
import { LineClosedError, type LineLimits, type Outlet } from './outlet.ts'

/** What one event stream needs. */
export interface EventStreamDeps
  extends Pick<FollowerDeps, 'conversationId' | 'after' | 'keptOnly' | 'bus' | 'store' | 'engine'> {
  readonly reply: FastifyReply
  readonly clock: Clock
  readonly limits: LineLimits
  readonly encoder: FrameEncoder
}

/** Says how frames are written on one event stream. */
export interface FrameEncoder {
  /** Headers beside those of every event stream. */
  readonly headers: Readonly<Record<string, string>>
  /** The text of a frame; empty for nothing. */
  encode(frame: ServerFrame): string
  /** Whether nothing comes after what was encoded last: the stream ends there. */
  isDone(): boolean
}

/** How often the stream says where the log is, so that a dead line is noticed. In milliseconds. */
const HEARTBEAT_MS = 15_000

/**
 * The frames as they are: `entry` (its id is its `seq`, so that `Last-Event-ID` resumes), `draft`, `delta`,
 * `caught-up`; `refused` when it cannot go on.
 */
export const PLAIN_EVENTS: FrameEncoder = { headers: {}, encode: encodeOnce(toEvents), isDone: () => false }

/** Takes the answer over and sends a conversation as server-sent events, until its reader leaves or the encoder is done. */
export function startEventStream({ reply, clock, limits, encoder, ...rest }: EventStreamDeps): void {
  reply.hijack()
  const response = reply.raw
  response.writeHead(200, {
    ...headersOf(reply.getHeaders()),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    ...encoder.headers,
  })
  const outlet = createEventOutlet({ response, clock, limits, encoder })
  response.flushHeaders()
  const follower = createFollower({
    ...rest,
    outlet,
    onFailure(error) {
      outlet.send({ type: 'refused', conversationId: rest.conversationId, problem: withoutPlaces(toProblem(error)) })
      response.end()
    },
  })
  let cancelHeartbeat = beat()
  response.on('close', () => {
    cancelHeartbeat()
    follower.close()
  })

  function beat(): () => void {
    return clock.after(HEARTBEAT_MS, () => {
      follower.verify()
      cancelHeartbeat = beat()
    })
  }
}

interface EventOutletDeps {
  readonly response: ServerResponse
  readonly clock: Clock
  readonly limits: LineLimits
  readonly encoder: FrameEncoder
}

function createEventOutlet({ response, clock, limits, encoder }: EventOutletDeps): Outlet {
  response.on('error', () => response.destroy())

  return {
    send(frame) {
      if (response.destroyed || response.writableEnded) return
      if (response.writableLength > limits.maxBufferedBytes) {
        response.destroy()
        return
      }
      const text = encoder.encode(frame)
      if (text !== '') response.write(text)
      if (encoder.isDone()) response.end()
    },
    async drained() {
      if (response.destroyed || response.writableEnded) throw new LineClosedError('The event stream is closed')
      if (!response.writableNeedDrain) return
      await new Promise<void>((resolve, reject) => {
        const cancel = clock.after(limits.maxDrainMs, () => response.destroy())
        const onDrain = () => {
          cancel()
          response.off('close', onClose)
          resolve()
        }
        const onClose = () => {
          cancel()
          response.off('drain', onDrain)
          reject(new LineClosedError('The event stream is closed'))
        }
        response.once('drain', onDrain)
        response.once('close', onClose)
      })
    },
  }
}

function toEvents(frame: ServerFrame): string {
  if (frame.type === 'entries') return frame.entries.map((entry) => toEvent('entry', entry, entry.seq)).join('')
  const { type, ...data } = frame
  return toEvent(type, data, null)
}

/** JSON has no line breaks, so one `data` line holds it. */
function toEvent(event: string, data: unknown, id: number | null): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

function headersOf(
  headers: Readonly<Record<string, number | string | string[] | undefined>>,
): Record<string, number | string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, number | string | string[]] => header[1] !== undefined),
  )
}
