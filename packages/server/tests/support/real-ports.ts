import { createHash, randomUUID } from 'node:crypto'
import type { Clock, Ids, Random } from '@holdfast/conversation'

/** The machine's time and timers. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

export const realIds: Ids = { next: (prefix) => `${prefix}_${randomUUID()}` }

export const realRandom: Random = { next: () => Math.random() }

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
