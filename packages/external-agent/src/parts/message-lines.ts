import { AGENT_LIMITS } from './limits.ts'

/** Takes the bytes of a pipe apart into lines. What is longer than a line may be is left out, up to its end. [AGENT10] */
export interface MessageLines {
  take(bytes: Buffer): void
}

/** Makes a reader of lines. */
export function createMessageLines({
  onLine,
  onTooLong,
}: {
  readonly onLine: (line: string) => void
  /** Called once for each line that is left out. */
  readonly onTooLong: () => void
}): MessageLines {
  let pieces: Buffer[] = []
  let heldBytes = 0
  let isTooLong = false

  function hold(piece: Buffer): void {
    heldBytes += piece.byteLength
    if (heldBytes > AGENT_LIMITS.lineBytes) {
      isTooLong = true
      pieces = []
    } else pieces.push(piece)
  }

  function end(): void {
    const line = isTooLong ? null : Buffer.concat(pieces).toString('utf8').trim()
    pieces = []
    heldBytes = 0
    isTooLong = false
    if (line === null) onTooLong()
    else if (line !== '') onLine(line)
  }

  return {
    take(bytes) {
      let from = 0
      for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
        hold(bytes.subarray(from, at))
        end()
        from = at + 1
      }
      if (from < bytes.byteLength) hold(bytes.subarray(from))
    },
  }
}

const NEWLINE = 0x0a
