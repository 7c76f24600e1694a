import type { ModelPrice, TokenPrice } from './model-facts.ts'

/** Tokens that are paid for. Thinking is inside the output. */
export interface PaidTokens {
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreation5mTokens: number
  readonly cacheCreation1hTokens: number
  readonly outputTokens: number
}

/** What the tokens cost in US dollars, or null when the price of any of them is not known. [COST3] */
export function costOf(usage: PaidTokens, price: ModelPrice | null): number | null {
  if (!price) return null
  const promptTokens =
    usage.inputTokens + usage.cacheReadTokens + usage.cacheCreation5mTokens + usage.cacheCreation1hTokens
  const items: readonly (readonly [number, TokenPrice | null])[] = [
    [usage.inputTokens, price.input],
    [usage.cacheReadTokens, price.cacheRead],
    [usage.cacheCreation5mTokens, price.cacheCreation5m],
    [usage.cacheCreation1hTokens, price.cacheCreation1h],
    [usage.outputTokens, price.output],
  ]
  let total = 0
  for (const [tokens, tokenPrice] of items) {
    if (tokens === 0) continue
    if (!tokenPrice) return null
    total += (tokens * rateFor(tokenPrice, promptTokens)) / 1_000_000
  }
  return total
}

function rateFor({ usdPerMillion, tiers }: TokenPrice, promptTokens: number): number {
  return tiers.findLast(({ aboveTokens }) => promptTokens > aboveTokens)?.usdPerMillion ?? usdPerMillion
}
