import { type Clock, waitFor } from '@holdfast/conversation'

/** When to stop reading, and how long to wait for the source to close. */
interface Reading {
  readonly signal: AbortSignal
  /** Ends the wait for the source at once. */
  readonly cut: AbortSignal
  readonly clock: Clock
  readonly drainMs: number
}

/** Reads a source part by part. */
export interface AbortableReader<Part> {
  /** The next part; null when the source has ended or the signal has fired, whichever comes first. */
  next(): Promise<Part | null>
  /** Closes the source, and waits for that a while. [STOP3] */
  close(): Promise<void>
}

/**
 * Reads from `source` until it ends or `signal` aborts, whichever comes first. Whoever reads closes it in every case.
 *
 * A source that does not close within `drainMs` milliseconds is left behind: a stop must not hang on it. [STOP3] It is
 * no generator, because a part would wait three times on its way through one.
 */
export function readUntilAborted<Part extends object>(
  source: AsyncIterable<Part>,
  reading: Reading,
): AbortableReader<Part> {
  const { signal } = reading
  const iterator = source[Symbol.asyncIterator]()
  // One at a time is waited for: a race with a promise that lasts would keep something of every part until the end.
  let giveUp = (): void => {}
  const onAbort = (): void => giveUp()
  signal.addEventListener('abort', onAbort, { once: true })
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return resolve(null)
        giveUp = () => resolve(null)
        // After an abort nobody waits for it: what a source throws then decides nothing.
        iterator.next().then(({ done, value }) => resolve(done ? null : value), reject)
      }),
    async close() {
      signal.removeEventListener('abort', onAbort)
      await settles(iterator.return?.(), reading)
    },
  }
}

/** Waits for `work` to settle, either way, until the drain or the cut ends the wait. Never throws. */
async function settles(work: Promise<unknown> | undefined, { clock, drainMs, cut }: Reading): Promise<void> {
  if (!work || cut.aborted) return
  const settled = new AbortController()
  const end = (): void => settled.abort()
  work.then(end, end)
  await waitFor(clock, drainMs, AbortSignal.any([cut, settled.signal]))
}
