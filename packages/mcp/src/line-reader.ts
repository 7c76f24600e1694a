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

  /** Takes lines for a while. @returns what there was no time for. */
  function takeLines(bytes: Buffer): Buffer {
    const until = clock.monotonicMs() + PART_MS
    let from = 0
    for (let end = bytes.indexOf(0x0a); end >= 0 && !isOver; end = bytes.indexOf(0x0a, from)) {
      hold(bytes.subarray(from, end))
      from = end + 1
      if (isOver) return NOTHING
      const line = Buffer.concat(pieces).toString('utf8')
      pieces = []
      heldBytes = 0
      taken += 1
      take(line)
      if (clock.monotonicMs() > until) return bytes.subarray(from)
    }
    if (!isOver && from < bytes.byteLength) hold(bytes.subarray(from))
    return NOTHING
  }

  /** How long the pipe has to stand until the second is over; 0 where it may go on. */
  function standMs(): number {
    const now = clock.monotonicMs()
    if (now - windowStart >= 1_000) {
      windowStart = now
      taken = 0
    }
    return taken < messagesPerSecond ? 0 : windowStart + 1_000 - now
  }

  /** Lets the pipe stand while there is too much of it: its writer waits, and nobody else does. */
  function read(pipe: Readable, bytes: Buffer): void {
    const rest = takeLines(bytes)
    const waitMs = standMs()
    if (isOver) return
    if (rest.byteLength === 0 && waitMs === 0) {
      pipe.resume()
      return
    }
    pipe.pause()
    clock.after(waitMs, () => {
      if (!pipe.destroyed) read(pipe, rest)
    })
  }

  return {
    read(pipe) {
      pipe.on('data', (bytes: Buffer) => {
        if (!isOver) read(pipe, bytes)
      })
      // A pipe that breaks while it is read ends like one that is closed.
      pipe.on('error', () => {})
    },
  }
}

/** So long lines are taken before others have their turn, in milliseconds. */
const PART_MS = 5
const NOTHING = Buffer.alloc(0)
