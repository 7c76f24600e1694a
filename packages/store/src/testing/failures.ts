import type { Random, StoreWriteFailure } from '@holdfast/conversation'

/** The places which an operation passes. A read passes the first and the last of its own. */
export const FAILPOINTS = ['before-write', 'after-write', 'after-sync', 'before-read', 'before-answer'] as const
export type Failpoint = (typeof FAILPOINTS)[number]

/** What may happen at a failpoint. */
export type Failure =
  /** The disk or the database refuses. What was written by then may stay. [LOG8] */
  | { readonly type: 'refuse'; readonly code: StoreWriteFailure }
  /** It takes this long, in milliseconds. */
  | { readonly type: 'wait'; readonly delayMs: number }
  /** The process ends here. */
  | { readonly type: 'crash' }

/** Where an operation is when it may fail. */
export interface Passage {
  readonly failpoint: Failpoint
  /** Number of the operation over all restarts, from 1. */
  readonly operation: number
}

/** Decides what fails. It is asked once for each passage, in the order of happening. */
export interface Failures {
  at(passage: Passage): Failure | null
}

/** Nothing fails. */
export const noFailures: Failures = { at: () => null }

/** One operation fails, at one place: for loops over every place at which something can fail. */
export function failOnce(passage: Passage, failure: Failure): Failures {
  return {
    at: ({ failpoint, operation }) =>
      failpoint === passage.failpoint && operation === passage.operation ? failure : null,
  }
}

const REFUSALS: readonly StoreWriteFailure[] = ['disk-full', 'not-writable', 'busy', 'disk-error', 'unreachable']

/** At each passage something happens with the probability `rate`, from 0 to 1. */
export function randomFailures({ random, rate }: { readonly random: Random; readonly rate: number }): Failures {
  return {
    at() {
      if (random.next() >= rate) return null
      const kind = random.next()
      if (kind < 0.45) return { type: 'refuse', code: REFUSALS[Math.floor(random.next() * REFUSALS.length)] ?? 'busy' }
      if (kind < 0.9) return { type: 'wait', delayMs: Math.floor(random.next() * 50) }
      return { type: 'crash' }
    },
  }
}

/** How many faults there were, by kind. A run without any has tested nothing. */
export interface FaultCounts {
  readonly refused: number
  readonly delayed: number
  readonly crashes: number
  /** Crashes that lost writes, all or some, which had not been synced. */
  readonly lossyCrashes: number
  /** Crashes after which the beginning of an unsynced group was there and its end was not. */
  readonly tornTails: number
  /** Writes that no crash survived. */
  readonly lostWrites: number
}
