import type { Clock } from '@holdfast/conversation'

/**
 * The time by which leases of one process run out, in milliseconds since the Unix epoch: that of the clock when the store was
 * opened, and from then on what really passed. A clock that is set, or a machine that slept, ends no lease. [LOG10]
 */
export function createLeaseTime(clock: Clock): () => number {
  const ahead = clock.now() - clock.monotonicMs()
  return () => Math.round(ahead + clock.monotonicMs())
}
