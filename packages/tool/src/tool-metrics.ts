import type { ToolOutcome } from '@holdfast/conversation'

/** What one tool did. Waiting for permission is not duration. [TOOL8] */
export interface ToolMetrics {
  readonly name: string
  /** Calls that settled, whatever their outcome. */
  readonly callCount: number
  /** Errors and time-outs. */
  readonly errorCount: number
  readonly deniedCount: number
  readonly timeoutCount: number
  readonly abortedCount: number
  /** Calls that run now. */
  readonly running: number
  readonly totalDurationMs: number
  /** Of calls that ran; null before the first. */
  readonly avgDurationMs: number | null
  /** Of the last 1,000 calls that ran, what 95 of 100 did not pass; null before the first. */
  readonly p95DurationMs: number | null
  /** Milliseconds since the Unix epoch. */
  readonly lastCalledAt: number | null
}

/** Counts what tools do. */
export interface ToolMeter {
  called(name: string, at: number): void
  started(name: string): void
  /** `durationMs` is null for a call that never ran. */
  settled(name: string, outcome: ToolOutcome, durationMs: number | null): void
  read(name: string): ToolMetrics
}

interface Tally {
  callCount: number
  errorCount: number
  deniedCount: number
  timeoutCount: number
  abortedCount: number
  running: number
  ranCount: number
  totalDurationMs: number
  lastCalledAt: number | null
  readonly lastDurations: number[]
}

const KEPT_DURATIONS = 1_000

/** A meter that has seen nothing. */
export function createToolMeter(): ToolMeter {
  const tallies = new Map<string, Tally>()

  function tallyOf(name: string): Tally {
    const tally = tallies.get(name) ?? emptyTally()
    tallies.set(name, tally)
    return tally
  }

  return {
    called(name, at) {
      tallyOf(name).lastCalledAt = at
    },
    started(name) {
      tallyOf(name).running++
    },
    settled(name, outcome, durationMs) {
      const tally = tallyOf(name)
      tally.callCount++
      count(tally, outcome)
      if (durationMs === null) return
      tally.running--
      tally.lastDurations[tally.ranCount % KEPT_DURATIONS] = durationMs
      tally.ranCount++
      tally.totalDurationMs += durationMs
    },
    read(name) {
      const { ranCount, lastDurations, ...counts } = tallies.get(name) ?? emptyTally()
      const avgDurationMs = ranCount === 0 ? null : counts.totalDurationMs / ranCount
      return { name, ...counts, avgDurationMs, p95DurationMs: p95Of(lastDurations) }
    },
  }
}

function count(tally: Tally, outcome: ToolOutcome): void {
  switch (outcome) {
    case 'ok':
    case 'not-started':
    case 'unknown':
      return
    case 'error':
      tally.errorCount++
      return
    case 'timed-out':
      tally.errorCount++
      tally.timeoutCount++
      return
    case 'denied':
      tally.deniedCount++
      return
    case 'aborted':
      tally.abortedCount++
  }
}

function p95Of(durations: readonly number[]): number | null {
  const sorted = durations.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null
}

function emptyTally(): Tally {
  return {
    callCount: 0,
    errorCount: 0,
    deniedCount: 0,
    timeoutCount: 0,
    abortedCount: 0,
    running: 0,
    ranCount: 0,
    totalDurationMs: 0,
    lastCalledAt: null,
    lastDurations: [],
  }
}
