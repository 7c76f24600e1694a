import type { ServerResponse } from 'node:http'
import type { Clock } from '@holdfast/conversation'
import type { ServerFrame } from '@holdfast/protocol'
import { createFollower, type FollowerDeps } from './follower.ts'
import { LineClosedError, type LineLimits, type Outlet } from './outlet.ts'
import { toProblem } from './to-problem.ts'

/** What one event stream needs. */
export interface EventStreamDeps extends Pick<FollowerDeps, 'conversationId' | 'after' | 'bus' | 'store' | 'engine'> {
  readonly response: ServerResponse
  readonly clock: Clock
  readonly limits: LineLimits
}

/** How often the stream says where the log is, so that a dead line is noticed. In milliseconds. */
const HEARTBEAT_MS = 15_000

/**
 * Sends a conversation as server-sent events: `entry` (its id is its `seq`, so that `Last-Event-ID`
 * resumes), `draft`, `delta`, `caught-up`; `refused` when it cannot go on.
 */
export function startEventStream({ response, clock, limits, ...rest }: EventStreamDeps): void {
  const outlet = createEventOutlet(response, clock, limits)
  response.flushHeaders()
  const follower = createFollower({
    ...rest,
    outlet,
    onFailure(error) {
      outlet.send({ type: 'refused', conversationId: rest.conversationId, problem: toProblem(error) })
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

function createEventOutlet(response: ServerResponse, clock: Clock, limits: LineLimits): Outlet {
  response.on('error', () => response.destroy())

  return {
    send(frame) {
      if (response.destroyed || response.writableEnded) return
      if (response.writableLength > limits.maxBufferedBytes) response.destroy()
      else response.write(toEvents(frame))
    },
    async drained() {
      if (response.destroyed) throw new LineClosedError('The event stream is closed')
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
