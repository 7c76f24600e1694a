import type { Clock } from '@holdfast/conversation'

/** Time that passes when the test says so. */
export interface ManualClock extends Clock {
  /** Lets time pass, and runs what falls due on the way, in its order. */
  advance(ms: number): void
}

export function createManualClock(): ManualClock {
  let now = 1_000
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()

  return {
    now: () => now,
    monotonicMs: () => now,
    after(delayMs, run) {
      const timer = { at: now + delayMs, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (!next) break
        timers.delete(next)
        now = Math.max(now, next.at)
        next.run()
      }
      now = end
    },
  }
}
