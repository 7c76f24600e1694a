/** Output of a process that goes on, with the place of every byte; the oldest is dropped. */
export interface OutputLog {
  add(bytes: Uint8Array): void
  /** What was kept from a byte on, as text. */
  read(fromByte: number): LogPage
}

/** A part of a log. */
export interface LogPage {
  readonly text: string
  /** The byte at which the text really begins: later than asked when that was dropped. */
  readonly fromByte: number
  /** Where to read on. */
  readonly nextByte: number
}

/** An empty log that keeps the last `limitBytes`. */
export function createOutputLog(limitBytes: number): OutputLog {
  let pieces: Uint8Array[] = []
  let keptBytes = 0
  let totalBytes = 0
  return {
    add(bytes) {
      totalBytes += bytes.byteLength
      const piece = new Uint8Array(bytes.subarray(Math.max(0, bytes.byteLength - limitBytes)))
      pieces.push(piece)
      keptBytes += piece.byteLength
      // Joined before it is cut, so that a million tiny pieces cost no more than their bytes.
      if (keptBytes < 2 * limitBytes && pieces.length < MOST_PIECES) return
      pieces = [Buffer.concat(pieces).subarray(-limitBytes)]
      keptBytes = pieces[0]?.byteLength ?? 0
    },
    read(fromByte) {
      const kept = Buffer.concat(pieces).subarray(-limitBytes)
      const oldest = totalBytes - kept.byteLength
      const from = Math.min(Math.max(fromByte, oldest), totalBytes)
      return { text: kept.subarray(from - oldest).toString('utf8'), fromByte: from, nextByte: totalBytes }
    },
  }
}

const MOST_PIECES = 4_096
