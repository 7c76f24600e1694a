import type { Clock } from '@holdfast/conformance'

/** A clock whose wall time a test moves; waiting moves it too. */
export function createManualClock(): Clock & { advance(ms: number): void } {
  let nowMs = 1_700_000_000_000
  return {
    now: () => nowMs,
    monotonic: () => nowMs,
    async wait(waitMs) {
      nowMs += waitMs
    },
    advance(ms) {
      nowMs += ms
    },
  }
}
