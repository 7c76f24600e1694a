import type { Clock } from '@holdfast/conversation'

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves time on, calls what has become due in its order, and lets promises settle in between. */
  advance(ms: number): Promise<void>
}

/** How many turns of the promise queue the longest chain in these tests takes. */
const SETTLING_TURNS = 40

/** A clock at 1,000 milliseconds. */
export function createManualClock(): ManualClock {
  let now = 1_000
  let waiting: { readonly due: number; readonly run: () => void }[] = []

  async function settle(): Promise<void> {
    for (let turn = 0; turn < SETTLING_TURNS; turn++) await Promise.resolve()
  }

  return {
    now: () => now,
    monotonicMs: () => now,
    after(delayMs, run) {
      const timer = { due: now + delayMs, run }
      waiting.push(timer)
      return () => {
        waiting = waiting.filter((other) => other !== timer)
      }
    },
    async advance(ms) {
      const end = now + ms
      await settle()
      while (true) {
        const [next] = waiting.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)
        if (!next) break
        waiting = waiting.filter((other) => other !== next)
        now = next.due
        next.run()
        await settle()
      }
      now = end
    },
  }
}
