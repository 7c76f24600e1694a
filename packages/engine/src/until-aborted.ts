import type { Clock } from '@holdfast/conversation'

const ABORTED = Symbol('aborted')

/** When to stop reading, and how long to wait for the source to close. */
export interface Reading {
  readonly signal: AbortSignal
  /** Ends the wait for the source at once. */
  readonly cut: AbortSignal
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
  const { signal } = reading
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
    await settles(iterator.return?.(), reading)
  }
}

/** Waits for `work` to settle, either way, until the drain or the cut ends the wait. Never throws. */
async function settles(work: Promise<unknown> | undefined, { clock, drainMs, cut }: Reading): Promise<void> {
  if (!work || cut.aborted) return
  await new Promise<void>((resolve) => {
    const cancel = clock.after(drainMs, done)
    cut.addEventListener('abort', done, { once: true })
    function done(): void {
      cancel()
      cut.removeEventListener('abort', done)
      resolve()
    }
    work.then(done, done)
  })
}

/** What a source throws after its reader has left belongs to nobody: the end of the step is decided. */
function ignoreAfterAbort(): void {}
