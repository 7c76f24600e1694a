import type { Readable } from 'node:stream'

/** Reads a body as it comes, all that waits at a time: an iterator over its chunks costs more than most of them carry. */
export interface BodyReader {
  /**
   * What has come since the last time, or the next that comes; null at the end.
   *
   * @throws what broke the line, or that it was closed before the end.
   */
  next(): Promise<readonly Buffer[] | null>
}

/** So many bytes wait for whoever reads before no more are taken from the line. */
const MOST_WAITING_BYTES = 256 * 1_024

/** Reads from now on. Whoever has the body destroys it. */
export function createBodyReader(body: Readable): BodyReader {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let end: { readonly failure: Error | null } | null = null
  let wake = (): void => {}

  function finish(failure: Error | null): void {
    end ??= { failure }
    wake()
  }

  body.on('data', (chunk: Buffer) => {
    waiting.push(chunk)
    waitingBytes += chunk.length
    if (waitingBytes >= MOST_WAITING_BYTES) body.pause()
    wake()
  })
  body.on('end', () => finish(null))
  body.on('error', finish)
  body.on('close', () => finish(closedEarly()))

  return {
    async next() {
      if (waiting.length === 0 && end === null)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (waiting.length > 0) {
        const chunks = waiting
        waiting = []
        waitingBytes = 0
        if (body.isPaused()) body.resume()
        return chunks
      }
      if (end?.failure) throw end.failure
      return null
    },
  }
}

function closedEarly(): Error {
  return Object.assign(new Error('The connection was closed before the end of the body'), { code: 'ECONNRESET' })
}
