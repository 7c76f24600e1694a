import type { Clock } from '@holdfast/conversation'
import { CLOSE, type CloseReason, type ServerFrame } from '@holdfast/protocol'
import type { WebSocket } from '@fastify/websocket'
import { encodeFrame } from './encode-frame.ts'
import { LineClosedError, type LineLimits, type Outlet } from './outlet.ts'

/** One socket as an outlet, with a way to end it. */
export interface SocketLine extends Outlet {
  /** Says goodbye and closes; what does not close in time is torn down. Harmless when called again. */
  close(reason: CloseReason): void
  readonly isClosed: () => boolean
}

/** How long a closing socket may take, in milliseconds. */
const CLOSE_MS = 5_000

/** Wraps a socket. Its errors end in its `close` event and nowhere else. [SEC5] */
export function createSocketLine(socket: WebSocket, clock: Clock, limits: LineLimits): SocketLine {
  let closed = false
  const waiting = new Set<(error: LineClosedError) => void>()

  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    closed = true
    for (const reject of waiting) reject(closedError())
    waiting.clear()
  })

  function transmit(frame: ServerFrame, sent: () => void): void {
    socket.send(encodeFrame(frame), sent)
  }

  function close(reason: CloseReason): void {
    if (closed) return
    closed = true
    for (const reject of waiting) reject(closedError())
    waiting.clear()
    transmit({ type: 'goodbye', code: reason.code, retry: reason.retry }, () => {})
    socket.close(reason.status, reason.code)
    const cancel = clock.after(CLOSE_MS, () => socket.terminate())
    socket.on('close', cancel)
  }

  function send(frame: ServerFrame): void {
    if (closed) return
    if (socket.bufferedAmount > limits.maxBufferedBytes) close(CLOSE.slowReader)
    else transmit(frame, settle)
  }

  /** Called whenever something has left: lets those go on who waited for it. */
  const resumed = new Set<() => void>()
  function settle(): void {
    if (closed || socket.bufferedAmount > limits.lowBufferedBytes) return
    for (const resume of resumed) resume()
    resumed.clear()
  }

  async function drained(): Promise<void> {
    if (closed) throw closedError()
    if (socket.bufferedAmount <= limits.lowBufferedBytes) return
    await new Promise<void>((resolve, reject) => {
      const cancel = clock.after(limits.maxDrainMs, () => close(CLOSE.slowReader))
      const fail = (error: LineClosedError) => {
        cancel()
        resumed.delete(resume)
        reject(error)
      }
      const resume = () => {
        cancel()
        waiting.delete(fail)
        resolve()
      }
      waiting.add(fail)
      resumed.add(resume)
    })
  }

  return { send, drained, close, isClosed: () => closed }
}

function closedError(): LineClosedError {
  return new LineClosedError('The socket is closed')
}
