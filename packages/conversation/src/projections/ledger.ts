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
      total = addUsage(total, entry)
      if (!entry.carried) own = addUsage(own, entry)
      byModel.set(model, addUsage(byModel.get(model) ?? noTotals, entry))
      byPurpose.set(entry.purpose, addUsage(byPurpose.get(entry.purpose) ?? noTotals, entry))
      changed = true
    }
    if (!changed) return state
    return { total, own, subAgents, byModel: Object.fromEntries(byModel), byPurpose: Object.fromEntries(byPurpose) }
  },
}

function addUsage(totals: LedgerTotals, usage: EntryOf<'usage-recorded'>): LedgerTotals {
  return {
    requestCount: totals.requestCount + 1,
    inputTokens: totals.inputTokens + usage.inputTokens,
    cacheReadTokens: totals.cacheReadTokens + usage.cacheReadTokens,
    cacheCreation5mTokens: totals.cacheCreation5mTokens + usage.cacheCreation5mTokens,
    cacheCreation1hTokens: totals.cacheCreation1hTokens + usage.cacheCreation1hTokens,
    outputTokens: totals.outputTokens + usage.outputTokens,
    thinkingTokens: totals.thinkingTokens + usage.thinkingTokens,
    costUsd: totals.costUsd + (usage.costUsd ?? 0),
    unpricedCount: totals.unpricedCount + (usage.costUsd === null ? 1 : 0),
    estimatedCount: totals.estimatedCount + (usage.measured ? 0 : 1),
  }
}
