import { createSystemClock, type Clock as ProviderClock } from '@holdfast/conformance'
import type { Clock } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'

/** The machine's clock, which can be put forward: engine and provider see the same jump, and no timer fires by it. */
export interface ShiftedClock {
  readonly engine: Clock
  readonly provider: ProviderClock
  putForward(ms: number): void
}

/** A clock that shows the machine's time until it is put forward. */
export function createShiftedClock(): ShiftedClock {
  const provider = createSystemClock()
  let shiftMs = 0
  return {
    engine: { ...systemClock, now: () => systemClock.now() + shiftMs },
    provider: { ...provider, now: () => provider.now() + shiftMs },
    putForward(ms) {
      shiftMs += ms
    },
  }
}
