import type { Clock } from '@holdfast/conversation'

/** Waits until a time, in milliseconds since the Unix epoch, or until the signal fires. Never throws. */
export async function waitUntil(clock: Clock, until: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const cancel = clock.after(Math.max(0, until - clock.now()), done)
    signal.addEventListener('abort', done, { once: true })
    function done(): void {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
