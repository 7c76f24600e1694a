import { type EntryOf, EXTERNAL_AGENT, type Ledger, ledger, modelName, type UsageIndex } from '@holdfast/conversation'
import type { UsageAnswer, UsageGroup } from '@holdfast/protocol'
import { usageRecords } from '../../parts/usage-records.ts'

/** What to sum up. */
export interface UsageSum {
  readonly ownerId: string
  readonly by: UsageGroup
  /** Milliseconds since the Unix epoch; from this time on. */
  readonly from: number
  readonly to: number
  /** The agent of a conversation; empty for none. */
  readonly agentOf: (conversationId: string) => Promise<string>
  /** The day of a time in milliseconds since the Unix epoch, in the zone of whoever asks, as `2026-11-23`. */
  readonly dayOf: (at: number) => string
}

/** Sums up what an owner's requests cost. [COST8] */
export async function sumUsage(
  store: UsageIndex,
  { ownerId, by, from, to, agentOf, dayOf }: UsageSum,
): Promise<UsageAnswer> {
  const rows = new Map<string, Ledger>()
  const agents = new Map<string, string>()
  let total = ledger.initial
  for await (const page of usageRecords(store, { ownerId, from, to })) {
    for (const record of page) {
      if (isPiece(record)) continue
      const key = by === 'agent' ? await agentOfOnce(record.conversationId) : keyOf(record, { by, ownerId, dayOf })
      rows.set(key, ledger.reduce(rows.get(key) ?? ledger.initial, [record]))
      total = ledger.reduce(total, [record])
    }
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  return { by, rows: sorted.map(([key, { total: totals }]) => ({ key, totals })), total: total.total }

  async function agentOfOnce(conversationId: string): Promise<string> {
    const known = agents.get(conversationId) ?? (await agentOf(conversationId))
    agents.set(conversationId, known)
    return known
  }
}

/** The day of the calendar in UTC. */
export function dayInUtc(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function keyOf(
  record: EntryOf<'usage-recorded'>,
  { by, ownerId, dayOf }: Pick<UsageSum, 'ownerId' | 'dayOf'> & { readonly by: Exclude<UsageGroup, 'agent'> },
): string {
  switch (by) {
    case 'day':
      return dayOf(record.at)
    case 'model':
      return modelName(record)
    case 'payer':
      return record.providerId
    case 'conversation':
      return record.conversationId
    case 'user':
      return ownerId
  }
}

/** A piece of an agent's prompt is no request: its requests are counted by the gateway, or the prompt at its end. [AGENT13] */
function isPiece(record: EntryOf<'usage-recorded'>): boolean {
  const { providerId, inputTokens, cacheReadTokens, outputTokens } = record
  return providerId.startsWith(EXTERNAL_AGENT) && inputTokens + cacheReadTokens + outputTokens === 0
}
