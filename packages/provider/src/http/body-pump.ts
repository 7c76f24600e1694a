import type { Readable } from 'node:stream'

/** Hands on the bytes of a body as they come. */
export interface BodyPump {
  /**
   * Gives every piece that is read to `onBytes`, in the same call: an iterator over pieces costs more than most of them
   * carry. A promise pauses the body until it has settled; what ends the body meanwhile waits as well. [RUN18]
   *
   * @throws {BrokenBodyError} when the line broke or was closed before the end.
   * @throws what `onBytes` threw.
   */
  run(onBytes: (bytes: Buffer) => Promise<void> | undefined): Promise<void>
  /** Ends `run` as the end of the body would: nothing more is handed on. */
  stop(): void
}

/** The line broke before the body had ended; its cause says how. */
export class BrokenBodyError extends Error {
  override readonly name = 'BrokenBodyError'
}

/** Makes the pump of a body. Whoever has the body destroys it, in every case. */
export function createBodyPump(body: Readable): BodyPump {
  const done = Promise.withResolvers<void>()
  let isOver = false
  let isPausing = false
  /** What ended the body while its reader paused. */
  let ending: (() => void) | null = null

  function end(settle: () => void): void {
    if (isPausing) {
      ending ??= settle
      return
    }
    isOver = true
    settle()
  }

  function fail(error: unknown): void {
    isOver = true
    done.reject(error)
  }

  function goOn(): void {
    isPausing = false
    if (ending) end(ending)
    else body.resume()
  }

  return {
    run(onBytes) {
      body.on('data', (bytes: Buffer) => {
        if (isOver) return
        try {
          const pause = onBytes(bytes)
          if (pause === undefined) return
          isPausing = true
          body.pause()
          pause.then(goOn, fail)
        } catch (error) {
          fail(error)
        }
      })
      body.on('end', () => end(done.resolve))
      body.on('error', (error) => end(() => done.reject(broken(error))))
      body.on('close', () => end(() => done.reject(broken(closedEarly()))))
      return done.promise
    },
    stop() {
      isOver = true
      done.resolve()
    },
  }
}

function broken(cause: Error): BrokenBodyError {
  return new BrokenBodyError('The body broke off', { cause })
}

function closedEarly(): Error {
  return Object.assign(new Error('The connection was closed before the end of the body'), { code: 'ECONNRESET' })
}
