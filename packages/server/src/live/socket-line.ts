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

/** So long the further text of a step, or a row of the list, waits for more, in milliseconds: less than a screen takes to show it. */
const GROUP_MS = 10

/** The connection below a socket, to which whole messages are written: many of a moment in one write. */
export interface Wire {
  /** Writes whole messages in their order, behind what was written before. Calls when they are with the system, or lost. */
  write(messages: Buffer, whenDone: () => void): unknown
}

/** What is gathered for one write is not more than this, in bytes; a message of more is written by itself. */
const GATHERED_BYTES = 64 * 1_024

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
  /** A message on its way that alone is over the limit; such a one does not count against its reader. */
  let giant: Buffer | null = null
  const resumed = new Set<() => void>()
  const failed = new Set<(error: LineClosedError) => void>()

  /** What will let go what is held back; null when nothing is. */
  let held: { readonly mayWait: boolean; readonly cancel: () => void } | null = null
  let gathered: Buffer[] = []
  let gatheredBytes = 0

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
    letGo()
    write(encodeFrame({ type: 'goodbye', code: reason.code, retry: reason.retry }))
    socket.close(reason.status, reason.code)
    const cancel = clock.after(limits.maxCloseMs, () => socket.terminate())
    socket.on('close', cancel)
  }

  /**
   * What is sent while the loop handles what has arrived goes out in one write, and text that goes on a little later:
   * with many conversations a write costs more than what it carries.
   */
  function gather(message: Buffer, mayWait: boolean): void {
    if (gatheredBytes + message.length > GATHERED_BYTES) letGo()
    gathered.push(message)
    gatheredBytes += message.length
    if (held && (mayWait || !held.mayWait)) return
    held?.cancel()
    if (mayWait) held = { mayWait, cancel: clock.after(GROUP_MS, letGo) }
    else {
      const soon = setImmediate(letGo)
      held = { mayWait, cancel: () => clearImmediate(soon) }
    }
  }

  function letGo(): void {
    held?.cancel()
    held = null
    const [first] = gathered
    if (first === undefined) return
    const together = gathered.length === 1 ? first : Buffer.concat(gathered, gatheredBytes)
    gathered = []
    gatheredBytes = 0
    write(together)
  }

  /** After the goodbye of the other end nothing may be written. */
  function write(messages: Buffer): void {
    if (socket.readyState !== socket.OPEN) return
    wire.write(messages, () => {
      if (messages === giant) giant = null
      if (closed || waitingBytes() > limits.lowBufferedBytes) return
      for (const resume of resumed) resume()
      resumed.clear()
    })
  }

  /** What is on its way to the reader. */
  function waitingBytes(): number {
    return gatheredBytes + socket.bufferedAmount
  }

  function send(frame: ServerFrame): void {
    if (closed) return
    const message = encodeFrame(frame)
    const isGiant = message.length > limits.maxBufferedBytes
    if (waitingBytes() - (giant?.length ?? 0) > limits.maxBufferedBytes || (isGiant && giant !== null)) {
      close(CLOSE.slowReader)
      return
    }
    if (isGiant) giant = message
    if (isGiant || message.length > GATHERED_BYTES) {
      letGo()
      write(message)
    } else gather(message, isPatient(frame))
  }

  async function drained(): Promise<void> {
    if (closed) throw closedError()
    if (waitingBytes() <= limits.lowBufferedBytes) return
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

/** Whether a frame may wait a moment: nobody sees that text goes on, or a row of the list changes, so much later. */
function isPatient(frame: ServerFrame): boolean {
  return (frame.type === 'delta' && frame.offset > 0) || frame.type === 'conversations'
}

function closedError(): LineClosedError {
  return new LineClosedError('The socket is closed')
}
