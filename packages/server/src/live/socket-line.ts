import type { Socket } from 'node:net'
import type { WebSocket } from '@fastify/websocket'
import type { Clock } from '@holdfast/conversation'
import { CLOSE, type CloseReason, type ServerFrame } from '@holdfast/protocol'
import { encodeFrame } from './encode-frame.ts'
import { LineClosedError, type LineLimits, type Outlet } from './outlet.ts'

/** One socket as an outlet, with a way to end it. */
export interface SocketLine extends Outlet {
  /** Says goodbye and closes; what does not close in time is torn down. Harmless when called again. */
  close(reason: CloseReason): void
  readonly isClosed: () => boolean
}

/** So long the further text of a step waits for more, of this conversation or another, in milliseconds: less than a screen takes to show it. */
const GROUP_MS = 10

/** The connection below a socket, as far as writes are held back and let go together. */
export type Wire = Pick<Socket, 'cork' | 'uncork'>

/** What a line is made of. */
export interface SocketLineDeps {
  readonly socket: WebSocket
  readonly wire: Wire
  readonly clock: Clock
  readonly limits: LineLimits
}

/** Wraps a socket. Its errors end in its `close` event and nowhere else. [SEC5] */
export function createSocketLine({ socket, wire, clock, limits }: SocketLineDeps): SocketLine {
  let closed = false
  /** Bytes of a frame on its way that alone is over the limit; such a frame does not count against its reader. */
  let giantBytes = 0
  const resumed = new Set<() => void>()
  const failed = new Set<(error: LineClosedError) => void>()

  /** What will let go what is held back; null when nothing is. */
  let held: { readonly isPatient: boolean; readonly cancel: () => void } | null = null

  socket.on('error', () => socket.terminate())
  socket.on('close', end)

  function end(): void {
    closed = true
    for (const fail of failed) fail(closedError())
    failed.clear()
    resumed.clear()
  }

  function close(reason: CloseReason): void {
    if (closed) return
    end()
    if (held) {
      held.cancel()
      letGo()
    }
    socket.send(encodeFrame({ type: 'goodbye', code: reason.code, retry: reason.retry }))
    socket.close(reason.status, reason.code)
    const cancel = clock.after(limits.maxCloseMs, () => socket.terminate())
    socket.on('close', cancel)
  }

  /**
   * What is sent while the loop handles what has arrived goes out in one write, and text that goes on a little later:
   * with many conversations a write costs more than what it carries.
   */
  function gather(frame: ServerFrame): void {
    const isPatient = frame.type === 'delta' && frame.offset > 0
    if (held && (isPatient || !held.isPatient)) return
    if (held) held.cancel()
    else wire.cork()
    if (isPatient) held = { isPatient, cancel: clock.after(GROUP_MS, letGo) }
    else {
      const soon = setImmediate(letGo)
      held = { isPatient, cancel: () => clearImmediate(soon) }
    }
  }

  function letGo(): void {
    held = null
    wire.uncork()
  }

  function send(frame: ServerFrame): void {
    if (closed) return
    const text = encodeFrame(frame)
    const isGiant = text.length > limits.maxBufferedBytes
    if (socket.bufferedAmount - giantBytes > limits.maxBufferedBytes || (isGiant && giantBytes > 0)) {
      close(CLOSE.slowReader)
      return
    }
    if (isGiant) giantBytes = Buffer.byteLength(text)
    gather(frame)
    socket.send(text, () => {
      if (isGiant) giantBytes = 0
      if (closed || socket.bufferedAmount > limits.lowBufferedBytes) return
      for (const resume of resumed) resume()
      resumed.clear()
    })
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
        failed.delete(fail)
        resolve()
      }
      failed.add(fail)
      resumed.add(resume)
    })
  }

  return { send, drained, close, isClosed: () => closed }
}

function closedError(): LineClosedError {
  return new LineClosedError('The socket is closed')
}
