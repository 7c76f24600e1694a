import type { Clock } from '@holdfast/conversation'

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves time on and calls what has become due, in its order, letting promises settle between. */
  advance(ms: number): Promise<void>
  /** How many calls are waiting; a quiet system has none. */
  waitingCount(): number
}

/** A clock at 1,000 milliseconds. */
export function createManualClock(): ManualClock {
  let now = 1_000
  let order = 0
  const waiting = new Map<number, { readonly due: number; readonly run: () => void }>()

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 50; turn++) await Promise.resolve()
  }

  return {
    now: () => now,
    monotonicMs: () => now,
    after(delayMs, run) {
      const key = order++
      waiting.set(key, { due: now + delayMs, run })
      return () => {
        waiting.delete(key)
      }
    },
    async advance(ms) {
      const end = now + ms
      await settle()
      for (;;) {
        const next = [...waiting]
          .filter(([, { due }]) => due <= end)
          .sort(([a, x], [b, y]) => x.due - y.due || a - b)[0]
        if (!next) break
        waiting.delete(next[0])
        now = next[1].due
        next[1].run()
        await settle()
      }
      now = end
    },
    waitingCount: () => waiting.size,
  }
}
