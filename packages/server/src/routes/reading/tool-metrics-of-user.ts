import type { ConversationToolMetrics, EntryStore, SnapshotStore } from '@holdfast/conversation'
import { conversationsOf, readOverview } from '@holdfast/engine'

type MetricsStore = Pick<EntryStore, 'read' | 'listConversations'> & SnapshotStore

/** What tools did in all conversations of a user: each conversation's own fold, summed up. [TOOL8, PRJ5] */
export async function toolMetricsOfUser(
  store: MetricsStore,
  ownerId: string,
): Promise<readonly ConversationToolMetrics[]> {
  const metrics = new Map<string, ConversationToolMetrics>()
  for await (const { conversationId } of conversationsOf(store, ownerId)) {
    const { state } = await readOverview(store, conversationId)
    for (const own of Object.values(state.toolMetrics)) {
      const known = metrics.get(own.name)
      metrics.set(own.name, known ? addMetrics(known, own) : own)
    }
  }
  return [...metrics.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function addMetrics(a: ConversationToolMetrics, b: ConversationToolMetrics): ConversationToolMetrics {
  const buckets = new Map(Object.entries(a.durationBuckets))
  for (const [bucket, count] of Object.entries(b.durationBuckets))
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + count)
  return {
    name: a.name,
    callCount: a.callCount + b.callCount,
    errorCount: a.errorCount + b.errorCount,
    deniedCount: a.deniedCount + b.deniedCount,
    timeoutCount: a.timeoutCount + b.timeoutCount,
    abortedCount: a.abortedCount + b.abortedCount,
    runningCallIds: [...a.runningCallIds, ...b.runningCallIds],
    totalDurationMs: a.totalDurationMs + b.totalDurationMs,
    durationBuckets: Object.fromEntries(buckets),
    lastCalledAt: Math.max(a.lastCalledAt ?? 0, b.lastCalledAt ?? 0) || null,
    // A place in one log means nothing among several.
    lastError: null,
  }
}
