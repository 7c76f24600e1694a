/** Wall time and timers. The simulation has its own; nothing but a clock reads the machine's. */
export interface Clock {
  /** Milliseconds since the Unix epoch. For display and leases, never for order. */
  now(): number
  /** Milliseconds that only ever grow; for time limits, so that a clock that jumps ends nothing early. */
  monotonicMs(): number
  /**
   * Calls `run` once after `delayMs` milliseconds.
   *
   * @returns a function that cancels the call; harmless once it has happened.
   */
  after(delayMs: number, run: () => void): () => void
}

/** New names for things. An id never repeats, also not after a restart. */
export interface Ids {
  /** A fresh id that starts with `prefix` and an underscore, such as `run_01…`. */
  next(prefix: IdPrefix): string
}

/** What an id names; the first part of the id, so that a reader of a log sees what it is. */
export type IdPrefix =
  | 'conversation'
  | 'input'
  | 'hook'
  | 'run'
  | 'step'
  | 'call'
  | 'permission'
  | 'question'
  | 'rule'
  | 'upload'
  | 'agent'
  | 'element'
  | 'request'
  | 'import'
  | 'memory'
  | 'preset'
  | 'workspace'
  | 'schedule'

/** Chance, for backoff and jitter. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  next(): number
}
