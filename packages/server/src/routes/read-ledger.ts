import {
  type EntryOf,
  type EntryStore,
  entriesBefore,
  MAX_PAGE_ENTRIES,
  type SnapshotStore,
} from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import { type LedgerAnswer, LedgerRecord } from '@holdfast/protocol'

/** Which page of the records. */
export interface LedgerQuery {
  readonly conversationId: string
  /** The records before this `seq`; null for the newest. */
  readonly before: number | null
  readonly limit: number
}

/** The totals of a conversation, and a page of its usage records, read back from its end. [COST1, COST2] */
export async function readLedger(
  store: Pick<EntryStore, 'read'> & SnapshotStore,
  { conversationId, before, limit }: LedgerQuery,
): Promise<LedgerAnswer> {
  const { state } = await readOverview(store, conversationId)
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
  const { total, own, subAgents, byModel, byPurpose, cacheLosses } = state.ledger
  return {
    total,
    own,
    subAgents,
    byModel: { ...byModel },
    byPurpose: { ...byPurpose },
    cacheLosses: { ...cacheLosses, newest: [...cacheLosses.newest] },
    records: records.map((record) => LedgerRecord.parse(record)),
    next: more ? (records[0]?.seq ?? null) : null,
  }
}
