import type { Clock } from '@holdfast/conversation'

const ABORTED = Symbol('aborted')

/** When to stop reading, and how long to wait for the source to close. */
export interface Reading {
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly drainMs: number
}

/**
 * Yields from `source` until it ends or `signal` aborts, whichever comes first.
 *
 * The source is closed in every case. One that does not close within `drainMs` milliseconds is left
 * behind: a stop must not hang on it. [STOP3]
 */
export async function* untilAborted<Part>(source: AsyncIterable<Part>, reading: Reading): AsyncGenerator<Part> {
  const { signal, clock, drainMs } = reading
  const iterator = source[Symbol.asyncIterator]()
  const listening = new AbortController()
  const aborted = new Promise<typeof ABORTED>((resolve) => {
    signal.addEventListener('abort', () => resolve(ABORTED), { once: true, signal: listening.signal })
  })
  try {
    while (!signal.aborted) {
      const next = iterator.next()
      const first = await Promise.race([next, aborted])
      if (first === ABORTED) {
        next.catch(ignoreAfterAbort)
        return
      }
      if (first.done) return
      yield first.value
    }
  } finally {
    listening.abort()
    await settlesWithin(clock, drainMs, iterator.return?.())
  }
}

/** Waits for `work` to settle, either way, but at most `ms` milliseconds. Never throws. */
async function settlesWithin(clock: Clock, ms: number, work: Promise<unknown> | undefined): Promise<void> {
  if (!work) return
  let cancel = (): void => {}
  const deadline = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve)
  })
  await Promise.race([work.then(() => {}, ignoreAfterAbort), deadline])
  cancel()
}

/** What a source throws after its reader has left belongs to nobody: the end of the step is decided. */
function ignoreAfterAbort(): void {}
