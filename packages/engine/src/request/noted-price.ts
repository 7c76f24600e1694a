import { BEYOND_ALL_LOGS, type EntryLog, type EntryOf, entriesBefore } from '@holdfast/conversation'
import type { ModelPrice } from '@holdfast/provider'

/** A price as it stands in the log beside a request; absent in logs of versions that did not note it. */
type NotedPrice = EntryOf<'step-started'>['price']

const PAGE = 100

/** What of a price an estimate needs: who closes the request may know neither its model nor its price. [COST15] */
export function notedPrice(
  price: ModelPrice | null,
  promptTokens: number,
): { readonly price: NonNullable<NotedPrice> | null } {
  if (price === null) return { price: null }
  const { input, output, reference } = price
  return { price: { input: rateOf(input, promptTokens), output: rateOf(output, promptTokens), reference } }
}

function rateOf(price: ModelPrice['input'], promptTokens: number): number | null {
  if (price === null) return null
  return price.tiers.findLast(({ aboveTokens }) => promptTokens > aboveTokens)?.usdPerMillion ?? price.usdPerMillion
}

/** The prices that the log notes of requests that are open, by their steps; null for one that nobody knew. */
export async function pricesOfOpen(
  log: Pick<EntryLog, 'read'>,
  { conversationId, stepIds }: { readonly conversationId: string; readonly stepIds: ReadonlySet<string> },
): Promise<ReadonlyMap<string, ModelPrice | null>> {
  const found = new Map<string, ModelPrice | null>()
  let left = stepIds.size
  if (left === 0) return found
  for await (const { entries } of entriesBefore(log, { conversationId, before: BEYOND_ALL_LOGS, pageEntries: PAGE })) {
    for (const entry of entries) {
      if (entry.type !== 'step-started' || !stepIds.has(entry.stepId)) continue
      left -= 1
      if (entry.price !== undefined) found.set(entry.stepId, whole(entry.price))
    }
    if (left <= 0) break
  }
  return found
}

/** Of a cut request the cache is not known: it is estimated without. */
function whole(noted: NonNullable<NotedPrice> | null): ModelPrice | null {
  if (noted === null) return null
  const { input, output, reference } = noted
  const unknown = { cacheRead: null, cacheCreation5m: null, cacheCreation1h: null }
  return { input: tokenPrice(input), output: tokenPrice(output), ...unknown, reference }
}

function tokenPrice(usdPerMillion: number | null): ModelPrice['input'] {
  return usdPerMillion === null ? null : { usdPerMillion, tiers: [] }
}
