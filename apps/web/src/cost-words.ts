import type { LedgerTotals, TranscriptUsage } from '@holdfast/conversation'

/** What something cost, as far as that is known. */
export interface Cost {
  /** Sum of the known prices, in US dollars. */
  readonly usd: number
  readonly requestCount: number
  /** Requests without a known price. */
  readonly unpricedCount: number
  /** Whether some of it was estimated. */
  readonly isEstimated: boolean
  /** The price of all requests where it is a word and no amount. */
  readonly word: 'demo' | 'free' | null
}

/** The cost of requests. */
export function costOf(usages: readonly TranscriptUsage[]): Cost {
  return {
    usd: usages.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
    requestCount: usages.length,
    unpricedCount: usages.filter(({ costUsd }) => costUsd === null).length,
    isEstimated: usages.some(({ measured }) => !measured),
    word: commonWord(usages.map(({ priceReference }) => wordOf(priceReference))),
  }
}

/** The cost of a ledger's totals. `word` is what the only model's price is called, if it is a word. */
export function costOfTotals(totals: LedgerTotals, word: Cost['word']): Cost {
  return {
    usd: totals.costUsd,
    requestCount: totals.requestCount,
    unpricedCount: totals.unpricedCount,
    isEstimated: totals.estimatedCount > 0,
    word,
  }
}

/**
 * A cost in words: an amount, `≈` with an estimated part, `≥` where some prices are not known, `—` where none is.
 * [COST3]
 */
export function costText(cost: Cost): string {
  if (cost.requestCount === 0) return '—'
  if (cost.word) return cost.word
  if (cost.unpricedCount === cost.requestCount) return '—'
  const mark = cost.unpricedCount > 0 ? '≥ ' : cost.isEstimated ? '≈ ' : ''
  return `${mark}${usdText(cost.usd)}`
}

/** The same for who hears it, and where it is asked for in full. */
export function costTitle(cost: Cost): string {
  if (cost.requestCount === 0) return 'Nothing was asked yet'
  if (cost.word === 'demo') return 'The demo model costs nothing'
  if (cost.word === 'free') return 'A model on this computer costs nothing'
  if (cost.unpricedCount === cost.requestCount) return 'No price is known for this model'
  const exact = `$${cost.usd.toFixed(6)}`
  if (cost.unpricedCount > 0)
    return `At least ${exact}: ${cost.unpricedCount} of ${cost.requestCount} requests have no known price`
  return cost.isEstimated ? `About ${exact}: some usage was estimated` : exact
}

/** What a price reference says in a word; null where it is an amount. */
function wordOf(priceReference: string): Cost['word'] {
  if (priceReference === 'demo') return 'demo'
  return priceReference === 'local' ? 'free' : null
}

function commonWord(words: readonly Cost['word'][]): Cost['word'] {
  const [first = null] = words
  return words.every((word) => word === first) ? first : null
}

/** An amount as short as it may be: `$0.41`, `< $0.001`, `free`. */
export function usdText(usd: number): string {
  if (usd === 0) return 'free'
  if (usd < 0.001) return '< $0.001'
  return `$${usd < 1 ? usd.toFixed(3) : usd.toFixed(2)}`
}
