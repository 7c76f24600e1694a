import type { Clock } from '@holdfast/conversation'

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves time on and calls what has become due, in its order, letting promises settle between. */
  advance(ms: number): Promise<void>
  waitingCount(): number
}

export async function settlePromises(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve()
}

/** A clock at 1,000 milliseconds. */
export function createManualClock(): ManualClock {
  let now = 1_000
  const waiting = new Set<{ readonly due: number; readonly run: () => void }>()
  return {
    now: () => now,
    monotonicMs: () => now,
    after(delayMs, run) {
      const entry = { due: now + delayMs, run }
      waiting.add(entry)
      return () => {
        waiting.delete(entry)
      }
    },
    async advance(ms) {
      const end = now + ms
      await settlePromises()
      for (;;) {
        const [next] = [...waiting].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)
        if (!next) break
        waiting.delete(next)
        now = next.due
        next.run()
        await settlePromises()
      }
      now = end
    },
    waitingCount: () => waiting.size,
  }
}
