import type { Clock } from '@holdfast/conversation'

/**
 * Does something that hears a signal: it fires with the given one, and after a time with these words as its reason.
 *
 * @throws what the work throws; at the end of the time the error of that.
 */
export async function within<Result>(
  limit: { readonly clock: Clock; readonly limitMs: number; readonly signal: AbortSignal; readonly reason: string },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { clock, limitMs, signal, reason } = limit
  const controller = new AbortController()
  const late = Promise.withResolvers<never>()
  const abort = (): void => controller.abort(signal.reason)
  const cancel = clock.after(limitMs, () => {
    const error = new DOMException(reason, 'TimeoutError')
    controller.abort(error)
    late.reject(error)
  })
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work(controller.signal), late.promise])
  } finally {
    cancel()
    signal.removeEventListener('abort', abort)
  }
}
