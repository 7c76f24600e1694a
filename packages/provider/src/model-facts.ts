/** A price per million tokens in US dollars. It may rise for the whole request with the size of its prompt. */
export interface TokenPrice {
  readonly usdPerMillion: number
  /** Prices that hold instead when the prompt has more tokens than `aboveTokens`; rising. */
  readonly tiers: readonly { readonly aboveTokens: number; readonly usdPerMillion: number }[]
}

/** What a model's tokens cost; null where it is not known. */
export interface ModelPrice {
  readonly input: TokenPrice | null
  readonly output: TokenPrice | null
  readonly cacheRead: TokenPrice | null
  readonly cacheCreation5m: TokenPrice | null
  readonly cacheCreation1h: TokenPrice | null
  /** Where the price is from, for the ledger: a catalog and its date, `override`, `local`, `demo`. */
  readonly reference: string
}

/** What a model can do; null where it is not known. */
export interface ModelCapabilities {
  readonly tools: boolean | null
  readonly images: boolean | null
  readonly thinking: boolean | null
  readonly promptCache: boolean | null
}

/** What is known of a model. Unknown stays null: nothing is guessed. [COST3, COST6] */
export interface ModelFacts {
  readonly contextWindowTokens: number | null
  readonly maxOutputTokens: number | null
  readonly price: ModelPrice | null
  readonly capabilities: ModelCapabilities
}

/** What a person, or a server, says of a model. What is left out stays as it is known. */
export interface ModelFactsOverride {
  readonly contextWindowTokens?: number | null
  readonly maxOutputTokens?: number | null
  readonly price?: ModelPrice | null
  readonly capabilities?: Partial<ModelCapabilities>
}

/** A model of which nothing is known. */
export const UNKNOWN_MODEL: ModelFacts = {
  contextWindowTokens: null,
  maxOutputTokens: null,
  price: null,
  capabilities: { tools: null, images: null, thinking: null, promptCache: null },
}

const FREE: TokenPrice = { usdPerMillion: 0, tiers: [] }

/** The price of a model that costs nothing, by its reason. [COST3] */
export function freePrice(reference: 'local' | 'demo'): ModelPrice {
  return { input: FREE, output: FREE, cacheRead: FREE, cacheCreation5m: FREE, cacheCreation1h: FREE, reference }
}

/** The facts with what is known better put over them. */
export function withOverride(facts: ModelFacts, override: ModelFactsOverride): ModelFacts {
  const { capabilities, ...rest } = override
  return { ...facts, ...rest, capabilities: { ...facts.capabilities, ...capabilities } }
}
