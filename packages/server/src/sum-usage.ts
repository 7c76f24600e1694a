import { type EntryOf, type Ledger, ledger, type UsageIndex } from '@holdfast/conversation'
import type { UsageAnswer, UsageGroup } from '@holdfast/protocol'

/** What to sum up. */
export interface UsageSum {
  readonly ownerId: string
  readonly by: UsageGroup
  /** Milliseconds since the Unix epoch; from this time on. */
  readonly from: number
  readonly to: number
  /** The agent of a conversation; empty for none. */
  readonly agentOf: (conversationId: string) => Promise<string>
}

const PAGE = 1_000

/** Sums up what an owner's requests cost, page by page. What was carried from elsewhere counts there. [COST8] */
export async function sumUsage(store: UsageIndex, { ownerId, by, from, to, agentOf }: UsageSum): Promise<UsageAnswer> {
  const rows = new Map<string, Ledger>()
  const agents = new Map<string, string>()
  let total = ledger.initial
  let after: EntryOf<'usage-recorded'> | undefined
  for (;;) {
    const page = await store.readUsage({ ownerId, from, to, limit: PAGE, ...(after ? { after } : {}) })
    for (const record of page) {
      if (record.carried) continue
      const key = by === 'agent' ? await agentOfOnce(record.conversationId) : keyOf(record, by, ownerId)
      rows.set(key, ledger.reduce(rows.get(key) ?? ledger.initial, [record]))
      total = ledger.reduce(total, [record])
    }
    after = page.at(-1)
    if (page.length < PAGE || !after) break
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  return { by, rows: sorted.map(([key, { total: totals }]) => ({ key, totals })), total: total.total }

  async function agentOfOnce(conversationId: string): Promise<string> {
    const known = agents.get(conversationId) ?? (await agentOf(conversationId))
    agents.set(conversationId, known)
    return known
  }
}

function keyOf(record: EntryOf<'usage-recorded'>, by: Exclude<UsageGroup, 'agent'>, ownerId: string): string {
  switch (by) {
    case 'day':
      return new Date(record.at).toISOString().slice(0, 10)
    case 'model':
      return `${record.providerId}/${record.modelId}`
    case 'conversation':
      return record.conversationId
    case 'user':
      return ownerId
  }
}
