import { type Clock, waitFor } from '@holdfast/conversation'

/**
 * Waits until `work` has settled, either way, no longer than `drainMs` milliseconds and not after `cut` has fired: a stop
 * must not hang on a source that does not close. Never throws. [STOP3, STOP10]
 */
export async function drained(
  work: Promise<void>,
  { clock, drainMs, cut }: { readonly clock: Clock; readonly drainMs: number; readonly cut: AbortSignal },
): Promise<void> {
  if (cut.aborted) return
  const settled = new AbortController()
  const end = (): void => settled.abort()
  work.then(end, end)
  await waitFor(clock, drainMs, AbortSignal.any([cut, settled.signal]))
}
