import { priceRequest, type RequestPrice, textTokens } from '@holdfast/context'
import { costOf } from '@holdfast/provider'
import type { ModelChoice } from '../api/ports.ts'
import type { ExpectedPrice } from './budget.ts'
import { priceSource } from './request-price.ts'
import type { TurnRequest } from './turn-request.ts'

/** What is asked for beside the conversation. */
interface Asked {
  /** The words at the end of the conversation's own request. */
  readonly words: string
  /** The longest answer that is wanted. */
  readonly mostAnswerTokens: number
}

/** What the conversation's own request costs with other words at its end, up to the longest answer. [CHK3, CACHE3] */
export function priceExtended(at: TurnRequest, { words, mostAnswerTokens }: Asked, now: number): RequestPrice {
  const usedTokens = at.tokens.usedTokens + textTokens(words, at.ratio)
  const source = priceSource(at, now)
  const answerTokens = { low: 0, high: mostAnswerTokens }
  return priceRequest({ ...source, tokens: { ...at.tokens, usedTokens }, answerTokens }).now
}

/** What a request costs that begins with nothing the cache has, up to its longest answer. */
export function priceAlone(
  { facts: { price } }: { readonly facts: Pick<ModelChoice['facts'], 'price'> },
  { promptTokens, mostAnswerTokens }: { readonly promptTokens: number; readonly mostAnswerTokens: number | null },
): ExpectedPrice {
  const cached = { cacheReadTokens: 0, cacheCreation5mTokens: 0, cacheCreation1hTokens: 0 }
  const prompt = { inputTokens: promptTokens, ...cached, outputTokens: 0 }
  const low = costOf(prompt, price)
  const high = mostAnswerTokens === null ? null : costOf({ ...prompt, outputTokens: mostAnswerTokens }, price)
  return { promptUsd: low, usd: low === null || high === null ? null : { low, high } }
}
