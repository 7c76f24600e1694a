import type { Clock } from '@holdfast/conversation'

/** When a followed conversation is to be looked at again: soon after something came, and seldom where nothing does. */
export interface LookPace {
  /** Something came by itself, or by a look. */
  found(): void
  /** What came may be less than there is: the next round looks. */
  unsettle(): void
  /** It is looked at now. */
  looked(): void
  /**
   * Asked at every round. `isTold` says whether others tell of what they write; with `mayRest` there is nothing to look for
   * unless something may have been missed.
   */
  isDue(round: { readonly isTold: boolean; readonly mayRest: boolean }): boolean
}

/** Between two looks of which none finds anything, at the longest, while others tell of what they write. In milliseconds. */
const SELDOM_MS = 5_000

/** Makes the pace of one conversation, for rounds that come every `roundMs` milliseconds. */
export function createLookPace(clock: Pick<Clock, 'monotonicMs'>, roundMs: number): LookPace {
  let hasFound = false
  let isUnsettled = false
  let lookedAt = clock.monotonicMs()
  let pauseMs = roundMs
  return {
    found() {
      hasFound = true
      pauseMs = roundMs
    },
    unsettle() {
      isUnsettled = true
      pauseMs = roundMs
    },
    looked() {
      isUnsettled = false
      lookedAt = clock.monotonicMs()
    },
    isDue({ isTold, mayRest }) {
      if (isUnsettled) return true
      const now = clock.monotonicMs()
      if (hasFound) {
        hasFound = false
        lookedAt = now
        return false
      }
      // Rounds come a little early and late.
      if (mayRest || now - lookedAt < pauseMs - roundMs / 2) return false
      pauseMs = isTold ? Math.min(pauseMs * 2, SELDOM_MS) : roundMs
      return true
    },
  }
}
