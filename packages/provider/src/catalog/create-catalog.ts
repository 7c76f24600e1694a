import { calcPrice, type ModelPrice as PriceTable } from '@pydantic/genai-prices'
import {
  freePrice,
  type ModelFacts,
  type ModelFactsOverride,
  type ModelPrice,
  type TokenPrice,
  UNKNOWN_MODEL,
  withOverride,
} from '../model-facts.ts'
import { limitsOfModel } from './model-limits.ts'
import { plainModelName } from './model-names.ts'

/** Names the data and its version: it stands in the ledger beside every price that comes from it. */
const REFERENCE = 'genai-prices 0.1.8'

/** A model as the catalog is asked for it. */
export interface ModelName {
  /** The name under which the provider is set up, such as `anthropic`. Overrides name it. */
  readonly providerId: string
  /**
   * Who is paid, as the price data names them, such as `anthropic`, `aws` or `openrouter`; `local` and `demo` cost
   * nothing; null when it is not known.
   */
  readonly seller: string | null
  /** As the provider knows it: colons, slashes and dates included. */
  readonly modelId: string
}

/** What is known better than the data; the first one that names the model counts. */
export interface CatalogOverride {
  readonly providerId: string
  readonly modelId: string
  readonly facts: ModelFactsOverride
}

/** Windows, prices and capabilities of models. */
export interface ModelCatalog {
  /** What is known of a model. Unknown stays null. */
  factsOf(name: ModelName): ModelFacts
}

/**
 * Makes the catalog of the data that comes with the program and of what is known better.
 *
 * @param atMs - whose prices: some change at a date or with the hour. Milliseconds since the Unix epoch.
 */
export function createCatalog(source: {
  readonly overrides: readonly CatalogOverride[]
  readonly atMs: number
}): ModelCatalog {
  return {
    factsOf(name) {
      const override = source.overrides.find(
        (one) => one.providerId === name.providerId && one.modelId === name.modelId,
      )
      const known = dataOf(name, source.atMs)
      return override ? withOverride(known, override.facts) : known
    },
  }
}

function dataOf(name: ModelName, atMs: number): ModelFacts {
  const known = pricedOf(name, atMs)
  // A server of one's own may have been told another limit than the vendor's.
  const isSold = known.price !== null && known.price.reference === REFERENCE
  const limits = isSold ? limitsOfModel(plainModelName(name.modelId)) : null
  if (limits === null) return known
  const { maxOutputTokens, thinking } = limits
  return withOverride(known, { maxOutputTokens, capabilities: { thinking } })
}

function pricedOf({ seller, modelId }: ModelName, atMs: number): ModelFacts {
  if (seller === 'local' || seller === 'demo') return { ...UNKNOWN_MODEL, price: freePrice(seller) }
  if (seller === null) return UNKNOWN_MODEL
  const found = calcPrice({}, modelId, { providerId: seller, timestamp: new Date(atMs) })
  // The data matches by the beginning of a name: without this, the next version of a model gets the last one's price.
  if (!found || plainModelName(found.model.id) !== plainModelName(modelId)) return UNKNOWN_MODEL
  const price = priceOf(found.model_price)
  return {
    contextWindowTokens: found.model.context_window ?? null,
    maxOutputTokens: null,
    price,
    capabilities: { ...UNKNOWN_MODEL.capabilities, promptCache: price.cacheRead === null ? null : true },
  }
}

function priceOf(table: PriceTable): ModelPrice {
  return {
    input: tokenPrice(table.input_mtok),
    output: tokenPrice(table.output_mtok),
    cacheRead: tokenPrice(table.cache_read_mtok),
    cacheCreation5m: tokenPrice(table.cache_write_mtok),
    cacheCreation1h: tokenPrice(table.cache_write_1h_mtok),
    reference: REFERENCE,
  }
}

function tokenPrice(price: PriceTable[string]): TokenPrice | null {
  if (price === undefined) return null
  if (typeof price === 'number') return { usdPerMillion: price, tiers: [] }
  const tiers = price.tiers.map(({ start, price: usdPerMillion }) => ({ aboveTokens: start, usdPerMillion }))
  return { usdPerMillion: price.base, tiers: tiers.sort((one, other) => one.aboveTokens - other.aboveTokens) }
}
