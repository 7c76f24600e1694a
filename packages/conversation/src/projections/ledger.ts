import type { CacheBreak } from '../entries/ledger-entries.ts'
import type { EntryOf } from '../entry.ts'
import { addTotals, LedgerTotals, noTotals } from '../ledger-totals.ts'
import type { Projection } from '../projection.ts'

/** What the conversation has cost so far. */
export interface Ledger {
  readonly total: LedgerTotals
  /** By `provider/model`. */
  readonly byModel: Readonly<Record<string, LedgerTotals>>
  readonly byPurpose: Readonly<Record<string, LedgerTotals>>
  /** What was made here: without records that came by import or fork. [COST8] */
  readonly own: LedgerTotals
  /** The conversations of sub-agents, by id. What they have cost by now their own logs say. [COST12, AGENT3] */
  readonly subAgents: Readonly<Record<string, SubAgentCall>>
  /** The newest accounting lines whose totals are not those of the records before them, oldest first. [COST13] */
  readonly wrongTotals: readonly WrongTotals[]
  /** What was lost of the prompt cache. [CACHE4, REQ5] */
  readonly cacheLosses: CacheLosses
}

/** The call that runs a sub-agent. */
export interface SubAgentCall {
  readonly callId: string
  /** What its conversation had cost when the call settled; null where nothing was written of it. */
  readonly settledTotals: LedgerTotals | null
}

/** An accounting line whose copy of the totals is not what the records before it sum up to. */
export interface WrongTotals {
  readonly seq: number
  readonly written: LedgerTotals
  readonly folded: LedgerTotals
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

/** How many accounting lines that are wrong are kept at hand. */
const KEPT_WRONG = 20

const NO_LOSSES: CacheLosses = { breakCount: 0, lostTokens: 0, lostUsd: 0, unpricedCount: 0, newest: [] }

/** Sums of all usage records, on the path or set aside: they never go down. [COST2] */
export const ledger: Projection<Ledger> = {
  name: 'ledger',
  version: 5,
  initial: {
    total: noTotals,
    byModel: {},
    byPurpose: {},
    own: noTotals,
    subAgents: {},
    wrongTotals: [],
    cacheLosses: NO_LOSSES,
  },
  reduce(state, entries) {
    let { total, own, cacheLosses } = state
    const byModel = new Map(Object.entries(state.byModel))
    const byPurpose = new Map(Object.entries(state.byPurpose))
    const subAgents = new Map(Object.entries(state.subAgents))
    const wrongTotals = state.wrongTotals.slice()
    let changed = false
    for (const entry of entries) {
      if (entry.type === 'tool-call-started' && entry.childConversationId !== undefined) {
        subAgents.set(entry.childConversationId, { callId: entry.callId, settledTotals: null })
        changed = true
      }
      if (entry.type === 'tool-call-settled' && entry.childTotals !== undefined) {
        const { callId, childTotals: settledTotals } = entry
        const [childId] = [...subAgents].find(([, call]) => call.callId === callId) ?? []
        if (childId !== undefined) subAgents.set(childId, { callId, settledTotals })
        changed = true
      }
      if (entry.type === 'path-rewound' || entry.type === 'conversation-archived') {
        if (isSameTotals(entry.totals, total)) continue
        wrongTotals.push({ seq: entry.seq, written: entry.totals, folded: total })
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
    return {
      total,
      own,
      byModel: Object.fromEntries(byModel),
      byPurpose: Object.fromEntries(byPurpose),
      subAgents: Object.fromEntries(subAgents),
      wrongTotals: wrongTotals.slice(-KEPT_WRONG),
      cacheLosses,
    }
  },
}

function isSameTotals(one: LedgerTotals, other: LedgerTotals): boolean {
  return LedgerTotals.keyof().options.every((figure) => one[figure] === other[figure])
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
