import type { Clock } from '@holdfast/conversation'

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
  let isAborted = signal.aborted
  // One at a time is waited for: a race with a promise that lasts would keep something of every part until the end.
  let giveUp = (): void => {}
  const onAbort = (): void => {
    isAborted = true
    giveUp()
  }
  signal.addEventListener('abort', onAbort, { once: true })
  const nextOrNull = (): Promise<IteratorResult<Part> | null> =>
    new Promise((resolve, reject) => {
      giveUp = () => resolve(null)
      // After an abort nobody waits for it: what a source throws then decides nothing.
      iterator.next().then(resolve, reject)
    })
  try {
    while (!isAborted) {
      const next = await nextOrNull()
      if (next === null || next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
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
