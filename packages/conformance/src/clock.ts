import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Time as the provider sees it; a test hands in its own to move cache lifetimes and paces by hand. */
export interface Clock {
  /** Wall time, ms since 1970. Lifetimes of cached prefixes run on it. */
  now(): number
  /** Time that never jumps, ms. The request records use it. */
  monotonic(): number
  /** Resolves after `waitMs`, or at once when the signal aborts; it never rejects. */
  wait(waitMs: number, signal: AbortSignal): Promise<void>
}

/** The machine's clock. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    async wait(waitMs, signal) {
      try {
        await sleep(waitMs, undefined, { signal })
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}
