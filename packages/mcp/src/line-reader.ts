import type { Readable } from 'node:stream'
import type { Clock } from '@holdfast/conversation'
import { SERVER_LIMITS } from './server-settings.ts'

/** Reads a pipe line by line, no faster than it may and no line longer than it may. [TOOL9] */
export function createLineReader({
  clock,
  take,
  onTooLong,
}: {
  readonly clock: Clock
  readonly take: (line: string) => void
  /** Called once; nothing is taken after it. */
  readonly onTooLong: () => void
}): { read(pipe: Readable): void } {
  const { messageBytes, messagesPerSecond } = SERVER_LIMITS
  let pieces: Buffer[] = []
  let heldBytes = 0
  let isOver = false
  let windowStart = clock.monotonicMs()
  let taken = 0

  function hold(piece: Buffer): void {
    heldBytes += piece.byteLength
    if (heldBytes <= messageBytes) {
      pieces.push(piece)
      return
    }
    isOver = true
    pieces = []
    onTooLong()
  }

  function takeLines(bytes: Buffer): void {
    let from = 0
    for (let end = bytes.indexOf(0x0a); end >= 0 && !isOver; end = bytes.indexOf(0x0a, from)) {
      hold(bytes.subarray(from, end))
      from = end + 1
      if (isOver) return
      const line = Buffer.concat(pieces).toString('utf8')
      pieces = []
      heldBytes = 0
      taken += 1
      take(line)
    }
    if (!isOver && from < bytes.byteLength) hold(bytes.subarray(from))
  }

  /** Lets the pipe stand until the second is over: its writer waits, and nobody else does. */
  function slowDown(pipe: Readable): void {
    const now = clock.monotonicMs()
    if (now - windowStart >= 1_000) {
      windowStart = now
      taken = 0
    }
    if (taken < messagesPerSecond) return
    pipe.pause()
    clock.after(windowStart + 1_000 - now, () => {
      if (!pipe.destroyed) pipe.resume()
    })
  }

  return {
    read(pipe) {
      pipe.on('data', (bytes: Buffer) => {
        if (isOver) return
        takeLines(bytes)
        slowDown(pipe)
      })
      // A pipe that breaks while it is read ends like one that is closed.
      pipe.on('error', () => {})
    },
  }
}
