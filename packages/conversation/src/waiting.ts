import type { Clock } from './ports.ts'

/** Waits until a time, in milliseconds since the Unix epoch, or until the signal fires. Never throws. */
export async function waitUntil(clock: Clock, until: number, signal: AbortSignal): Promise<void> {
  await waitFor(clock, until - clock.now(), signal)
}

/** Waits so many milliseconds, or until the signal fires. Never throws. */
export async function waitFor(clock: Pick<Clock, 'after'>, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const cancel = clock.after(Math.max(0, ms), done)
    signal.addEventListener('abort', done, { once: true })
    function done(): void {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}

/** Waits until the signal fires. Never throws. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/**
 * Waits for work that may not hear the signal, no longer than until it fires. What becomes of the work then decides nothing.
 *
 * @throws what the work throws, or the signal's reason.
 */
export async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const given = Promise.withResolvers<never>()
  const giveUp = (): void => given.reject(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  if (signal.aborted) giveUp()
  try {
    return await Promise.race([given.promise, work])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
