import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Clock } from '@holdfast/conversation'

/** How late the event loop was, in milliseconds. */
export interface LoopLag {
  readonly meanMs: number
  readonly mostMs: number
}

/** How often the event loop is asked, in milliseconds: a loop that is never late answers after this long. */
const RESOLUTION_MS = 10

const NS_PER_MS = 1_000_000

/** Looks at the event loop for a while. Nothing is measured before and after: a server that nobody asks pays nothing. */
export async function measureLoopLag(clock: Pick<Clock, 'after'>, lengthMs: number): Promise<LoopLag> {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  await new Promise<void>((resolve) => clock.after(lengthMs, resolve))
  delays.disable()
  if (delays.count === 0) return { meanMs: 0, mostMs: 0 }
  return { meanMs: lateness(delays.mean), mostMs: lateness(delays.max) }
}

function lateness(delayNs: number): number {
  return Math.max(0, delayNs / NS_PER_MS - RESOLUTION_MS)
}
