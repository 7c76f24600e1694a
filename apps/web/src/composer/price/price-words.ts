import type { PriceAnswer, RequestPriceRow } from '@holdfast/protocol'
import { usdText } from '../../shared/cost-words.ts'
import { clockText, shortCount } from '../../shared/format.ts'
import { say } from '../../shared/language/say.ts'

/** Until when the cache is warm, in milliseconds since the Unix epoch; null where it is not. */
export function warmUntil({ price: { cache } }: PriceAnswer): number | null {
  return cache.state === 'warm' ? (cache.warmUntil['1h'] ?? cache.warmUntil['5m']) : null
}

/** The price as it is at a moment: with the warm cache, or after it has gone cold. */
export function priceAt(priced: PriceAnswer, now: number): RequestPriceRow {
  const until = warmUntil(priced)
  return until !== null && now > until ? priced.price.cold : priced.price.now
}

/** What a request costs in a few words, never without saying that it is estimated. [COST3] */
export function priceWords({ priceReference }: PriceAnswer, price: RequestPriceRow): string {
  if (priceReference === 'demo') return say('price.demo-costs-nothing')
  if (priceReference === 'local') return say('inspector.free-of-charge')
  const { usd, promptUsd } = price
  if (promptUsd === null)
    return say('price.unknown', { count: price.promptTokens, tokens: shortCount(price.promptTokens) })
  if (usd === null) return say('price.and-reply', { amount: usdText(promptUsd) })
  const low = usdText(usd.low)
  const high = usdText(usd.high)
  return low === high ? say('price.about', { amount: low }) : say('price.between', { low, high })
}

/** How the prompt is made up, for who asks. */
export function priceTitle(price: RequestPriceRow, isSummaryDue: boolean): string {
  const written = price.cacheCreation5mTokens + price.cacheCreation1hTokens
  const { outputTokens } = price
  return [
    say('price.tokens-in', { count: price.promptTokens }),
    say('price.read-from-cache', { count: price.cacheReadTokens }),
    say('price.written-to-it', { count: written }),
    say('price.plain', { count: price.inputTokens }),
    outputTokens === null
      ? say('price.how-long-the-reply-will')
      : say('price.reply-of', { low: outputTokens.low, high: outputTokens.high }),
    say('price.further-requests-of-the-same'),
    ...(isSummaryDue ? [say('price.a-summary-is-made-first')] : []),
  ].join('; ')
}

/** How long the cache stays warm: `cache warm 4:12`; empty where there is nothing to say. */
export function warmthWords(priced: PriceAnswer, now: number): string {
  const { state, keptTokens } = priced.price.cache
  const until = warmUntil(priced)
  if (until !== null && now <= until)
    return say('price.cache-warm', { time: clockText(Math.ceil((until - now) / 1_000)) })
  return (state === 'cold' || until !== null) && keptTokens > 0 ? say('price.cache-cold') : ''
}

/** What a change would break, before it is made; null where it breaks nothing. [REQ5] */
export function lossWords(priced: PriceAnswer): string | null {
  const { change } = priced
  if (change === null || change.lostTokens === 0) return null
  const { lostUsd } = change
  const lost = { count: change.lostTokens, tokens: shortCount(change.lostTokens) }
  if (lostUsd === null) return say('price.loss-unknown', lost)
  return lostUsd === 0 ? say('price.loss-free', lost) : say('price.loss', { ...lost, amount: usdText(lostUsd) })
}
