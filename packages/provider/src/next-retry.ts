import type { ProviderErrorCode, Random } from '@holdfast/conversation'
import type { ProviderError } from './model-port.ts'

/** How a failure is waited out. Times in milliseconds. */
interface Backoff {
  readonly firstMs: number
  readonly longestMs: number
  readonly attempts: number
}

/** "Not now": 5 s, doubling to 120 s, about seven minutes in all. [RUN7] */
const NOT_NOW: Backoff = { firstMs: 5_000, longestMs: 120_000, attempts: 8 }

/** The line or the server broke: sooner and less often. */
const BROKEN: Backoff = { firstMs: 1_000, longestMs: 30_000, attempts: 4 }

/** Waits longer than this, in milliseconds, are not kept: the run ends, and the error says when to try again. [RUN28] */
export const LONGEST_WAIT_MS = 15 * 60_000

/** What decides about another attempt. */
export interface FailedAttempt {
  /** Number of the attempt that failed, from 1. */
  readonly attempt: number
  readonly error: ProviderError
  /** Whether anything of the answer came before it failed. */
  readonly sawContent: boolean
  readonly random: Random
}

/**
 * How many milliseconds to wait before the next attempt, or null when there is none.
 *
 * After the first content nothing is repeated: the person has seen it. [RUN5] The server's own figure counts
 * first, and is never undercut; jitter only adds. [RUN7]
 */
export function nextRetry({ attempt, error, sawContent, random }: FailedAttempt): number | null {
  const backoff = backoffOf(error.code)
  if (sawContent || !backoff || attempt >= backoff.attempts) return null
  const ownMs = Math.min(backoff.firstMs * 2 ** (attempt - 1), backoff.longestMs)
  const waitMs = error.retryAfterMs ?? ownMs
  return waitMs > LONGEST_WAIT_MS ? null : Math.round(waitMs * (1 + random.next() / 4))
}

function backoffOf(code: ProviderErrorCode): Backoff | null {
  switch (code) {
    case 'rate-limit':
    case 'overloaded':
      return NOT_NOW
    case 'network':
    case 'internal':
      return BROKEN
    case 'auth':
    case 'quota':
    case 'too-long':
    case 'model-missing':
    case 'refused':
    case 'bad-request':
      return null
  }
}
