/** Takes bytes as they come; see `createMessageReader`. */
export type TakeBytes = (bytes: Uint8Array) => void

/** A server that sends more in one message is not listened to any more. In bytes. */
const MOST_BYTES = 16 << 20
const MOST_HEADER_BYTES = 4_096

/** Reads messages as the Language Server Protocol frames them: a header with a length, and so many bytes of JSON. */
export function createMessageReader({
  take,
  onBroken,
}: {
  readonly take: (message: unknown) => void
  /** Called once; nothing is taken after it. */
  readonly onBroken: (why: string) => void
}): TakeBytes {
  let pieces: Buffer[] = []
  let heldBytes = 0
  /** How many bytes are needed before it is worth looking. */
  let wantedBytes = 0
  let isBroken = false

  function giveUp(why: string): void {
    isBroken = true
    pieces = []
    onBroken(why)
  }

  /** Takes the next message. @returns what follows it, null where it is not there yet. */
  function takeNext(bytes: Buffer): Buffer | null {
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) {
      wantedBytes = 0
      if (bytes.byteLength > MOST_HEADER_BYTES) giveUp('It sent no header of a message')
      return null
    }
    const length = Number(/^Content-Length: *(\d+)/im.exec(bytes.subarray(0, end).toString('latin1'))?.[1] ?? 'none')
    if (!Number.isSafeInteger(length) || length > MOST_BYTES) {
      giveUp(`It sent a message of ${length} bytes, and at most ${MOST_BYTES} are read`)
      return null
    }
    const from = end + 4
    wantedBytes = from + length
    if (bytes.byteLength < wantedBytes) return null
    const text = bytes.subarray(from, wantedBytes).toString('utf8')
    const rest = bytes.subarray(wantedBytes)
    wantedBytes = 0
    const message = parsed(text)
    if (message === undefined) {
      giveUp('It sent a message that is no JSON')
      return null
    }
    take(message)
    return rest
  }

  return (bytes) => {
    if (isBroken) return
    pieces.push(Buffer.from(bytes))
    heldBytes += bytes.byteLength
    if (heldBytes < wantedBytes) return
    let held: Buffer = Buffer.concat(pieces)
    for (let rest = takeNext(held); rest !== null && !isBroken; rest = takeNext(held)) held = rest
    pieces = isBroken || held.byteLength === 0 ? [] : [held]
    heldBytes = isBroken ? 0 : held.byteLength
  }
}

/** Bytes of a message. */
export function framed(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8')
  return Buffer.concat([Buffer.from(`Content-Length: ${body.byteLength}\r\n\r\n`, 'latin1'), body])
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
