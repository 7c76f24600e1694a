import type { EntryOf } from '../entry.ts'
import { addTotals, type LedgerTotals, noTotals } from '../ledger-totals.ts'
import type { Projection } from '../projection.ts'

/** What the conversation has cost so far. */
export interface Ledger {
  readonly total: LedgerTotals
  /** By `provider/model`. */
  readonly byModel: Readonly<Record<string, LedgerTotals>>
  readonly byPurpose: Readonly<Record<string, LedgerTotals>>
  /** What was made here: without records that came by import or fork. [COST8] */
  readonly own: LedgerTotals
  /** What sub-agents cost in conversations of their own; shown beside the total, never inside it. [COST8, AGENT3] */
  readonly subAgents: LedgerTotals
}

/** Sums of all usage records, on the path or set aside: they never go down. [COST2] */
export const ledger: Projection<Ledger> = {
  name: 'ledger',
  version: 2,
  initial: { total: noTotals, byModel: {}, byPurpose: {}, own: noTotals, subAgents: noTotals },
  reduce(state, entries) {
    let { total, own, subAgents } = state
    const byModel = new Map(Object.entries(state.byModel))
    const byPurpose = new Map(Object.entries(state.byPurpose))
    let changed = false
    for (const entry of entries) {
      if (entry.type === 'tool-call-settled' && entry.childTotals) {
        subAgents = addTotals(subAgents, entry.childTotals)
        changed = true
      }
      if (entry.type !== 'usage-recorded') continue
      const model = `${entry.providerId}/${entry.modelId}`
      const used = totalsOf(entry)
      total = addTotals(total, used)
      if (!entry.carried) own = addTotals(own, used)
      byModel.set(model, addTotals(byModel.get(model) ?? noTotals, used))
      byPurpose.set(entry.purpose, addTotals(byPurpose.get(entry.purpose) ?? noTotals, used))
      changed = true
    }
    if (!changed) return state
    return { total, own, subAgents, byModel: Object.fromEntries(byModel), byPurpose: Object.fromEntries(byPurpose) }
  },
}

/** The totals of one record. */
function totalsOf(usage: EntryOf<'usage-recorded'>): LedgerTotals {
  const { inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens } = usage
  const { outputTokens, thinkingTokens, costUsd, measured } = usage
  return {
    requestCount: 1,
    inputTokens,
    cacheReadTokens,
    cacheCreation5mTokens,
    cacheCreation1hTokens,
    outputTokens,
    thinkingTokens,
    costUsd: costUsd ?? 0,
    unpricedCount: costUsd === null ? 1 : 0,
    estimatedCount: measured ? 0 : 1,
  }
}
