import type { Socket } from 'node:net'
import { forwardLines } from './forward-lines.ts'

/** How slow a line is, each way. */
export interface Slowness {
  /** Each piece comes so much later, in milliseconds. */
  readonly delayMs: number
  /** At most so many bytes come in a second; null for as many as there are. */
  readonly bytesPerSecond: number | null
}

/** A network that is slow, before a port of this computer. */
export interface SlowLine {
  readonly port: number
  /** For what comes from now on. */
  become(slowness: Slowness): void
  close(): Promise<void>
}

/** What a line holds back for the slower end before it reads no more of the other, in bytes. */
const HELD_BYTES = 16 * 1_024
/** The largest piece that is let through at once where bytes are counted. */
const PIECE_BYTES = 256

/** Starts it on a free port. */
export async function startSlowLine(target: number, first: Slowness): Promise<SlowLine> {
  let slowness = first
  const lines = await forwardLines(
    () => target,
    (from, to) => carry(from, to, () => slowness),
  )
  return {
    port: lines.port,
    become(next) {
      slowness = next
    },
    close: lines.close,
  }
}

/** Pieces keep their order, however slowness changes. */
function carry(from: Socket, to: Socket, slowness: () => Slowness): void {
  let lastDueMs = 0
  let heldBytes = 0
  from.on('data', (bytes: Buffer) => {
    const { delayMs, bytesPerSecond } = slowness()
    const now = performance.now()
    let freeMs = Math.max(now, lastDueMs - delayMs)
    const size = bytesPerSecond === null ? bytes.length : PIECE_BYTES
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size)
      freeMs += bytesPerSecond === null ? 0 : (piece.length / bytesPerSecond) * 1_000
      lastDueMs = Math.max(lastDueMs, freeMs + delayMs)
      heldBytes += piece.length
      setTimeout(() => {
        heldBytes -= piece.length
        if (!to.destroyed) to.write(piece)
        if (heldBytes < HELD_BYTES) from.resume()
      }, lastDueMs - now)
    }
    if (heldBytes >= HELD_BYTES) from.pause()
  })
}
