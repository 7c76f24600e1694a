import type { Random } from '@holdfast/conversation'

/** The longest wait before the first attempt after a break; doubled with each, up to the last. In milliseconds. */
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 10_000

/** How long to wait after so many failed attempts, in milliseconds: no two clients wait alike. [SYNC3] */
export function retryDelayMs(attempts: number, random: Random): number {
  return Math.min(FIRST_RETRY_MS * 2 ** attempts, LAST_RETRY_MS) * (0.5 + random.next() / 2)
}
