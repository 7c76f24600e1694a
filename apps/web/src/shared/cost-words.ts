import type { LedgerTotals, TranscriptUsage } from '@holdfast/conversation'
import { say } from './language/say.ts'
import { perSpeech } from './language/speech.ts'

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
  if (cost.word) return say(WORDS[cost.word])
  if (cost.unpricedCount === cost.requestCount) return '—'
  // Of next to nothing that is known, and more that is not, no amount can be said.
  if (cost.unpricedCount > 0 && cost.usd < 0.001) return '—'
  const mark = cost.unpricedCount > 0 ? '≥ ' : cost.isEstimated ? '≈ ' : ''
  return `${mark}${usdText(cost.usd)}`
}

/** What sub-agents have cost beside their caller. */
export function besideText(cost: Cost): string {
  const amount = costText(cost)
  return amount === '—' ? say('page.sub-agents-unpriced') : say('page.with-sub-agents', { amount })
}

/** A cost for who hears it, and where it is asked for in full. */
export function costTitle(cost: Cost): string {
  if (cost.requestCount === 0) return say('inspector.nothing-was-asked-yet')
  if (cost.word === 'demo') return say('inspector.the-demo-model-costs-nothing')
  if (cost.word === 'free') return say('inspector.a-model-on-this-computer')
  if (cost.unpricedCount === cost.requestCount) return say('inspector.no-price-known')
  const exact = dollars(6).format(cost.usd)
  if (cost.unpricedCount > 0)
    return say('inspector.at-least', { amount: exact, unpriced: cost.unpricedCount, requests: cost.requestCount })
  return cost.isEstimated ? say('inspector.about', { amount: exact }) : exact
}

/** What a price reference says in a word; null where it is an amount. */
function wordOf(priceReference: string): Cost['word'] {
  if (priceReference === 'demo') return 'demo'
  return priceReference === 'local' ? 'free' : null
}

function commonWord(words: readonly Cost['word'][]): Cost['word'] {
  const [first] = words
  return first !== undefined && words.every((word) => word === first) ? first : null
}

/** An amount as short as it may be: `$0.41`, `< $0.001`, `free`. */
export function usdText(usd: number): string {
  if (usd === 0) return say('inspector.free-of-charge')
  if (usd < 0.001) return say('inspector.less-than', { amount: dollars(3).format(0.001) })
  return dollars(usd < 1 ? 3 : 2).format(usd)
}

const WORDS = { demo: 'inspector.demo', free: 'inspector.free-of-charge' } as const

/** A price of a million tokens in a table: `$3.00`. */
export function tablePrice(usd: number): string {
  return dollars(2).format(usd)
}

/** A price of a million tokens in a sentence: `$3`. */
export function rateText(usd: number): string {
  return rateFormat().format(usd)
}

/** Writes dollars with so many digits behind the point. */
function dollars(digits: 2 | 3 | 6): Intl.NumberFormat {
  return dollarFormats()[digits]
}

const dollarFormats = perSpeech(({ locale }) => {
  const of = (digits: number) =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  return { 2: of(2), 3: of(3), 6: of(6) }
})

const rateFormat = perSpeech(
  ({ locale }) =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: 0,
      maximumFractionDigits: 6,
    }),
)
