import type { EntryOf } from '../entry.ts'
import type { Projection } from '../projection.ts'

/** What one tool did in this conversation. Waiting for permission is not duration. [TOOL8] */
export interface ConversationToolMetrics {
  readonly name: string
  /** Calls that settled, whatever their outcome. */
  readonly callCount: number
  /** Errors and time-outs. */
  readonly errorCount: number
  readonly deniedCount: number
  readonly timeoutCount: number
  readonly abortedCount: number
  /** Calls that run now. */
  readonly runningCallIds: readonly string[]
  readonly totalDurationMs: number
  /** Counts of durations by bucket; bucket n holds those of at most 2^(n/2) milliseconds, of calls that ran. */
  readonly durationBuckets: Readonly<Record<string, number>>
  /** Milliseconds since the Unix epoch. */
  readonly lastCalledAt: number | null
  /** The newest call that failed or timed out: the entry that says how, and when. Null while none has. */
  readonly lastError: { readonly seq: number; readonly at: number } | null
}

/** Metrics of each tool, by name. */
export const toolMetrics: Projection<Readonly<Record<string, ConversationToolMetrics>>> = {
  name: 'tool-metrics',
  version: 2,
  initial: {},
  reduce(state, entries) {
    const metrics = new Map(Object.entries(state))
    let changed = false
    for (const entry of entries) {
      if (entry.type === 'body-erased') changed = endErased(metrics, entry) || changed
      if (entry.type !== 'tool-call-started' && entry.type !== 'tool-call-settled') continue
      const known = metrics.get(entry.name) ?? noCalls(entry.name)
      metrics.set(entry.name, entry.type === 'tool-call-started' ? started(known, entry) : settled(known, entry))
      changed = true
    }
    return changed ? Object.fromEntries(metrics) : state
  },
}

/** Mean duration of the calls that ran, in milliseconds; null before the first. */
export function averageDurationMs(metrics: ConversationToolMetrics): number | null {
  const count = Object.values(metrics.durationBuckets).reduce((sum, n) => sum + n, 0)
  return count === 0 ? null : metrics.totalDurationMs / count
}

/** The duration that 95 of 100 calls did not pass, to within a bucket (a factor of 1.42); null before the first. */
export function p95DurationMs(metrics: ConversationToolMetrics): number | null {
  const buckets = Object.entries(metrics.durationBuckets)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .sort((a, b) => a.bucket - b.bucket)
  const total = buckets.reduce((sum, { count }) => sum + count, 0)
  let seen = 0
  for (const { bucket, count } of buckets) {
    seen += count
    if (seen >= total * 0.95) return 2 ** (bucket / 2)
  }
  return null
}

function noCalls(name: string): ConversationToolMetrics {
  return {
    name,
    callCount: 0,
    errorCount: 0,
    deniedCount: 0,
    timeoutCount: 0,
    abortedCount: 0,
    runningCallIds: [],
    totalDurationMs: 0,
    durationBuckets: {},
    lastCalledAt: null,
    lastError: null,
  }
}

/** How an erased call ended is not known any more; that it did is. [LOG9] */
function endErased(metrics: Map<string, ConversationToolMetrics>, { erasedType, of }: EntryOf<'body-erased'>): boolean {
  const { callId } = of
  if (erasedType !== 'tool-call-settled' || callId === undefined) return false
  const running = [...metrics.values()].find(({ runningCallIds }) => runningCallIds.includes(callId))
  if (!running) return false
  metrics.set(running.name, { ...running, runningCallIds: running.runningCallIds.filter((id) => id !== callId) })
  return true
}

function started(
  metrics: ConversationToolMetrics,
  { callId, at }: EntryOf<'tool-call-started'>,
): ConversationToolMetrics {
  return { ...metrics, runningCallIds: [...metrics.runningCallIds, callId], lastCalledAt: at }
}

function settled(
  metrics: ConversationToolMetrics,
  { seq, at, callId, outcome, durationMs }: EntryOf<'tool-call-settled'>,
): ConversationToolMetrics {
  const failed = outcome === 'error' || outcome === 'timed-out'
  const counted = {
    ...metrics,
    callCount: metrics.callCount + 1,
    errorCount: metrics.errorCount + (failed ? 1 : 0),
    lastError: failed ? { seq, at } : metrics.lastError,
    deniedCount: metrics.deniedCount + (outcome === 'denied' ? 1 : 0),
    timeoutCount: metrics.timeoutCount + (outcome === 'timed-out' ? 1 : 0),
    abortedCount: metrics.abortedCount + (outcome === 'aborted' ? 1 : 0),
  }
  if (!metrics.runningCallIds.includes(callId)) return counted
  const bucket = String(Math.max(0, Math.ceil(2 * Math.log2(Math.max(1, durationMs)))))
  return {
    ...counted,
    runningCallIds: metrics.runningCallIds.filter((id) => id !== callId),
    totalDurationMs: metrics.totalDurationMs + durationMs,
    durationBuckets: { ...metrics.durationBuckets, [bucket]: (metrics.durationBuckets[bucket] ?? 0) + 1 },
  }
}
