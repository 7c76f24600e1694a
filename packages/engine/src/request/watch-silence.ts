import type { Clock } from '@holdfast/conversation'

/** Watches a source that says something now and then. */
interface SilenceWatch {
  /** Aborted when it was silent for too long. */
  readonly signal: AbortSignal
  /** How long it was silent when the watch gave up, in milliseconds. */
  readonly limitMs: () => number
  /** It said something. */
  heard(): void
  close(): void
}

/**
 * Counts silence by events, not by bytes: a line that is kept open by comments is silent. [RUN6]
 *
 * One timer runs at a time and looks at the last event when it fires, so that an event costs nothing.
 */
export function watchSilence(
  clock: Clock,
  { firstMs, betweenMs }: { readonly firstMs: number; readonly betweenMs: number },
): SilenceWatch {
  const silent = new AbortController()
  let limitMs = firstMs
  let heardAt = clock.monotonicMs()
  let cancel = clock.after(firstMs, look)

  function look(): void {
    const leftMs = heardAt + limitMs - clock.monotonicMs()
    if (leftMs <= 0) silent.abort()
    else cancel = clock.after(leftMs, look)
  }

  return {
    signal: silent.signal,
    limitMs: () => limitMs,
    heard() {
      heardAt = clock.monotonicMs()
      if (limitMs === betweenMs) return
      limitMs = betweenMs
      cancel()
      cancel = clock.after(betweenMs, look)
    },
    close: () => cancel(),
  }
}
