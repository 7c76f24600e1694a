import type { CacheBreak } from '../entries/ledger-entries.ts'
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
  /** What was lost of the prompt cache. [CACHE4, REQ5] */
  readonly cacheLosses: CacheLosses
}

/** What requests did not read from the prompt cache although it had been there. */
export interface CacheLosses {
  readonly breakCount: number
  readonly lostTokens: number
  /** What that cost more, in US dollars, as far as it is known. */
  readonly lostUsd: number
  /** Breaks of which nobody knows what they cost. */
  readonly unpricedCount: number
  /** The newest breaks, oldest first; the log keeps all. */
  readonly newest: readonly (CacheBreak & { readonly seq: number; readonly at: number })[]
}

/** How many breaks are kept at hand. */
const KEPT_BREAKS = 20

const NO_LOSSES: CacheLosses = { breakCount: 0, lostTokens: 0, lostUsd: 0, unpricedCount: 0, newest: [] }

/** Sums of all usage records, on the path or set aside: they never go down. [COST2] */
export const ledger: Projection<Ledger> = {
  name: 'ledger',
  version: 4,
  initial: { total: noTotals, byModel: {}, byPurpose: {}, own: noTotals, subAgents: noTotals, cacheLosses: NO_LOSSES },
  reduce(state, entries) {
    let { total, own, subAgents, cacheLosses } = state
    const byModel = new Map(Object.entries(state.byModel))
    const byPurpose = new Map(Object.entries(state.byPurpose))
    let changed = false
    for (const entry of entries) {
      if (entry.type === 'tool-call-settled' && entry.childTotals) {
        subAgents = addTotals(subAgents, entry.childTotals)
        changed = true
      }
      if (entry.type !== 'usage-recorded') continue
      const model = modelName(entry)
      const used = totalsOf(entry)
      total = addTotals(total, used)
      if (!entry.carried) own = addTotals(own, used)
      byModel.set(model, addTotals(byModel.get(model) ?? noTotals, used))
      byPurpose.set(entry.purpose, addTotals(byPurpose.get(entry.purpose) ?? noTotals, used))
      if (entry.cacheBreak) cacheLosses = addBreak(cacheLosses, { ...entry.cacheBreak, seq: entry.seq, at: entry.at })
      changed = true
    }
    if (!changed) return state
    const sums = { byModel: Object.fromEntries(byModel), byPurpose: Object.fromEntries(byPurpose) }
    return { total, own, subAgents, cacheLosses, ...sums }
  },
}

/** A model as figures name it: `provider/model`, once where the model's own id begins with its provider. */
export function modelName({ providerId, modelId }: Pick<EntryOf<'usage-recorded'>, 'providerId' | 'modelId'>): string {
  return modelId.startsWith(`${providerId}/`) ? modelId : `${providerId}/${modelId}`
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

function addBreak(losses: CacheLosses, broken: CacheLosses['newest'][number]): CacheLosses {
  return {
    breakCount: losses.breakCount + 1,
    lostTokens: losses.lostTokens + broken.lostTokens,
    lostUsd: losses.lostUsd + (broken.lostUsd ?? 0),
    unpricedCount: losses.unpricedCount + (broken.lostUsd === null ? 1 : 0),
    newest: [...losses.newest, broken].slice(-KEPT_BREAKS),
  }
}
