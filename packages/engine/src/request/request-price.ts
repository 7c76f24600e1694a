import { type PricedRequest, type PriceSource, priceRequest } from '@holdfast/context'
import type { TurnRequest } from './turn-request.ts'

/** What the request will cost, by the same figures that made it. */
export function priceOf(at: TurnRequest, now: number): PricedRequest {
  return priceRequest(priceSource(at, now))
}

/** What the price of a request is computed from. */
export function priceSource(at: TurnRequest, now: number): PriceSource {
  const { model, request, composed, path, facts, tokens, ratio } = at
  const named = { providerId: model.port.providerId, modelId: model.modelId, price: model.facts.price }
  return { request, composed, entries: path.entries, facts, model: named, tokens, ratio, answerTokens: null, now }
}
