import type { Clock } from '@holdfast/conversation'

/** Requests that what a run works with makes beside the run's own steps, such as those of an external agent. [AGENT8] */
export interface Besides {
  /** Aborted when none is waited for any more: each is cut then, and recorded. */
  readonly signal: AbortSignal
  /** Begins one. @returns what is called once it is recorded; null where the run is ending. */
  enter(): (() => void) | null
  /** Lets nothing more begin and waits until all are recorded; what is not over after `graceMs` is cut. */
  close(graceMs: number): Promise<void>
}

/** Makes those of one run. */
export function createBesides(clock: Pick<Clock, 'after'>): Besides {
  const open = new Set<Promise<void>>()
  const cut = new AbortController()
  let isClosing = false

  return {
    signal: cut.signal,
    enter() {
      if (isClosing) return null
      const { promise, resolve } = Promise.withResolvers<void>()
      open.add(promise)
      return () => {
        open.delete(promise)
        resolve()
      }
    },
    async close(graceMs) {
      isClosing = true
      if (graceMs === 0) cut.abort()
      if (open.size === 0) return
      const cancel = clock.after(graceMs, () => cut.abort())
      await Promise.all(open)
      cancel()
    },
  }
}
