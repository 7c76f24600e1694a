import type { Entry } from './entry.ts'

/**
 * State derived from a log, and from nothing else.
 *
 * `reduce` is pure: no clock, no chance, no input or output, no change to its arguments. That is what lets
 * the server, the browser and a test come to the same state. It takes a batch, so that it can copy once and
 * then fill its own copy: one entry at a time, a long log would cost time squared.
 */
export interface Projection<State> {
  readonly name: string
  /** Raised when `reduce` changes its meaning: snapshots of another version are dropped. [PRJ2] */
  readonly version: number
  readonly initial: State
  /**
   * How a log is cut into batches does not matter: reduce(reduce(s, a), b) equals reduce(s, a + b). A part of the state
   * that a batch does not change is the same object after it: readers compare by that. [PRJ1]
   */
  reduce(state: State, entries: readonly Entry[]): State
}
