import type { ModelFactsOverride, ModelPrice, TokenPrice } from '@holdfast/provider'
import type { ConfiguredProvider } from '../config-file-schema.ts'
import type { ConfiguredModel } from './provider-setup.ts'

type InFile = NonNullable<ConfiguredProvider['models']>[number]

/** The models of the file with what it says of them. What it leaves out stays as the catalog has it. */
export function configuredModels(models: readonly InFile[]): readonly ConfiguredModel[] {
  return models.map((model) => {
    if (typeof model === 'string') return { modelId: model, name: null, facts: {} }
    return { modelId: model.id, name: model.name ?? null, facts: factsOf(model) }
  })
}

function factsOf(model: Exclude<InFile, string>): ModelFactsOverride {
  const { contextWindowTokens, maxOutputTokens, price, tools, images, thinking } = model
  const capabilities = {
    ...(tools === undefined ? {} : { tools }),
    ...(images === undefined ? {} : { images }),
    ...(thinking === undefined ? {} : { thinking }),
  }
  return {
    ...(contextWindowTokens === undefined ? {} : { contextWindowTokens }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(price === undefined ? {} : { price: priceOf(price) }),
    capabilities,
  }
}

function priceOf(price: NonNullable<Exclude<InFile, string>['price']>): ModelPrice {
  return {
    input: tokenPrice(price.inputUsdPerMillion),
    output: tokenPrice(price.outputUsdPerMillion),
    cacheRead: tokenPrice(price.cacheReadUsdPerMillion),
    cacheCreation5m: tokenPrice(price.cacheCreation5mUsdPerMillion),
    cacheCreation1h: tokenPrice(price.cacheCreation1hUsdPerMillion),
    reference: 'override',
  }
}

function tokenPrice(usdPerMillion: number | undefined): TokenPrice | null {
  return usdPerMillion === undefined ? null : { usdPerMillion, tiers: [] }
}
