import type { PriceAnswer } from '@holdfast/client'
import type { RequestPrice } from '@holdfast/protocol'
import { usdText } from '../cost-words.ts'
import { clockText, shortCount, wholeCount } from '../format.ts'

/** A price that is known at all. */
export type Priced = NonNullable<PriceAnswer>

/** Until when the cache is warm, in milliseconds since the Unix epoch; null where it is not. */
export function warmUntil({ price: { cache } }: Priced): number | null {
  return cache.state === 'warm' ? (cache.warmUntil['1h'] ?? cache.warmUntil['5m']) : null
}

/** The price as it is at a moment: with the warm cache, or after it has gone cold. */
export function priceAt(priced: Priced, now: number): RequestPrice {
  const until = warmUntil(priced)
  return until !== null && now > until ? priced.price.cold : priced.price.now
}

/** What a request costs in a few words, never without saying that it is estimated. [COST3] */
export function priceWords({ priceReference }: Priced, price: RequestPrice): string {
  if (priceReference === 'demo') return 'demo, costs nothing'
  if (priceReference === 'local') return 'free'
  const { usd, promptUsd } = price
  if (promptUsd === null) return `≈ ${shortCount(price.promptTokens)} tokens estimated, price unknown`
  if (usd === null) return `≈ ${usdText(promptUsd)} + reply, estimated`
  const low = usdText(usd.low)
  const high = usdText(usd.high)
  return low === high ? `≈ ${low} estimated` : `≈ ${low}–${high} estimated`
}

/** How the prompt is made up, for who asks. */
export function priceTitle(price: RequestPrice, isSummaryDue: boolean): string {
  const written = price.cacheCreation5mTokens + price.cacheCreation1hTokens
  const { outputTokens } = price
  return [
    `Estimated: ${wholeCount(price.promptTokens)} tokens in`,
    `${wholeCount(price.cacheReadTokens)} of them read from the cache`,
    `${wholeCount(written)} written to it`,
    `${wholeCount(price.inputTokens)} plain`,
    outputTokens === null
      ? 'how long the reply will be is not known yet'
      : `a reply of ${wholeCount(outputTokens.low)} to ${wholeCount(outputTokens.high)} tokens, as replies here have been`,
    'further requests of the same turn cost extra',
    ...(isSummaryDue ? ['a summary is made first, at a cost of its own'] : []),
  ].join('; ')
}

/** How long the cache stays warm: `cache warm 4:12`; empty where there is nothing to say. */
export function warmthWords(priced: Priced, now: number): string {
  const { state, keptTokens } = priced.price.cache
  const until = warmUntil(priced)
  if (until !== null && now <= until) return `cache warm ${clockText(Math.ceil((until - now) / 1_000))}`
  return (state === 'cold' || until !== null) && keptTokens > 0 ? 'cache cold' : ''
}

/** What a change would break, before it is made; null where it breaks nothing. [REQ5] */
export function lossWords(priced: Priced): string | null {
  const { change } = priced
  if (change === null || change.lostTokens === 0) return null
  const { lostUsd } = change
  const cost = lostUsd === null ? ', at a price that is not known' : lostUsd === 0 ? '' : `, ≈ ${usdText(lostUsd)} more`
  return `≈ ${shortCount(change.lostTokens)} tokens of the prompt cache are lost${cost} (estimated)`
}
