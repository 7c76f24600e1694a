import type { Clock } from '@holdfast/conversation'

/** Does something again and again, each time after a pause; what fails is told, and tried again. @returns the end. */
export function repeat(
  work: () => Promise<void>,
  {
    clock,
    pauseMs,
    onError,
  }: { readonly clock: Clock; readonly pauseMs: number; readonly onError: (error: unknown) => void },
): () => void {
  let ended = false
  let cancel = plan()

  function plan(): () => void {
    return clock.after(pauseMs, () => {
      work()
        .catch(onError)
        .finally(() => {
          if (!ended) cancel = plan()
        })
    })
  }

  return () => {
    ended = true
    cancel()
  }
}
