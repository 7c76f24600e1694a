import {
  type EntryOf,
  type EntryStore,
  entriesBefore,
  MAX_PAGE_ENTRIES,
  type SnapshotStore,
} from '@holdfast/conversation'
import { readOverview, subAgentCosts, sumOfCosts } from '@holdfast/engine'
import { type LedgerAnswer, LedgerRecord } from '@holdfast/protocol'
import type { Diagnostics } from '../../parts/diagnostics.ts'
import { tellWrongTotals } from '../../parts/tell-wrong-totals.ts'

/** Where it is read, and where it is said what is wrong. */
export interface LedgerDeps {
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
  readonly log: Diagnostics
}

/** Which page of the records. */
export interface LedgerQuery {
  readonly conversationId: string
  /** The records before this `seq`; null for the newest. */
  readonly before: number | null
  readonly limit: number
}

/** The totals of a conversation, and a page of its usage records, read back from its end. [COST1, COST2] */
export async function readLedger(
  { store, log }: LedgerDeps,
  { conversationId, before, limit }: LedgerQuery,
): Promise<LedgerAnswer> {
  const { state } = await readOverview(store, conversationId)
  tellWrongTotals(log, conversationId, state.ledger)
  const found: EntryOf<'usage-recorded'>[] = []
  let cursor = before ?? state.head + 1
  const back = { conversationId, before: cursor, pageEntries: MAX_PAGE_ENTRIES }
  for await (const { entries } of entriesBefore(store, back)) {
    for (const entry of entries.toReversed()) if (entry.type === 'usage-recorded') found.push(entry)
    cursor = entries[0]?.seq ?? 1
    if (found.length >= limit) break
  }
  const records = found.slice(0, limit).reverse()
  const more = cursor > 1 || found.length > limit
  const { total, own, byModel, byPurpose, wrongTotals, cacheLosses } = state.ledger
  const costs = await subAgentCosts(store, conversationId, state.ledger)
  return {
    total,
    own,
    subAgents: sumOfCosts(costs),
    subAgentCosts: [...costs],
    wrongTotals: [...wrongTotals],
    byModel: { ...byModel },
    byPurpose: { ...byPurpose },
    cacheLosses: { ...cacheLosses, newest: [...cacheLosses.newest] },
    records: records.map((record) => LedgerRecord.parse(record)),
    next: more ? (records[0]?.seq ?? null) : null,
  }
}
