import { createHash, hash, randomBytes } from 'node:crypto'
import type { Clock, Ids, Random } from '@holdfast/conversation'

/** The longest that the machine's timers wait; a longer one fires at once. In milliseconds. */
const MAX_TIMER_MS = 2_147_483_647

/** The machine's time and timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(delayMs, MAX_TIMER_MS))
    return () => clearTimeout(timer)
  },
}

/** Random bytes of one id. */
const ID_BYTES = 10

/** Asking the machine takes as long for many bytes as for few: so many ids are made of one answer. */
const POOLED_IDS = 256

let pool = Buffer.alloc(0)
let taken = 0

/**
 * Ids from the machine's randomness: 48 bits of time, so that ids made later sort later, and 80 bits that
 * nobody can guess. No byte is used twice.
 */
export const systemIds: Ids = {
  next(prefix) {
    const time = Date.now().toString(16).padStart(12, '0')
    if (taken === pool.length) {
      pool = randomBytes(ID_BYTES * POOLED_IDS)
      taken = 0
    }
    const from = taken
    taken += ID_BYTES
    return `${prefix}_${time}${pool.toString('hex', from, taken)}`
  },
}

/** Chance for backoff and jitter; nothing secret rests on it. */
export const systemRandom: Random = { next: () => Math.random() }

/** SHA-256 in lower-case hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text)
}

/** SHA-256 of a text and of the same with more behind it: the text goes through once. */
export function sha256Both({ text, more }: { readonly text: string; readonly more: string }): {
  readonly ofText: string
  readonly ofAll: string
} {
  const begun = createHash('sha256').update(text)
  const ofText = begun.copy().digest('hex')
  return { ofText, ofAll: begun.update(more).digest('hex') }
}
