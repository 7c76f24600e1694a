import type { ModelChoice } from '@holdfast/engine'
import { isLoopback, type ListedModel, type ModelFactsOverride } from '@holdfast/provider'
import { createCatalog } from '@holdfast/provider/catalog'
import type { ConfiguredModel, ProviderSetup } from './provider-setup.ts'
import { isChatModel, USUAL_MODELS } from './usual-models.ts'

/** From where the models of one provider are known. */
export interface ModelSource {
  readonly setup: ProviderSetup
  /** What its server lists; null where it has not, or cannot. */
  readonly listed: readonly ListedModel[] | null
  /** The model that the operator wants where none is chosen: it is there even if no list has it. */
  readonly wanted: string | null
  /** Whose prices; milliseconds since the Unix epoch. */
  readonly atMs: number
}

/**
 * The models of a provider with what is known of each: the operator's word before the server's, the server's before
 * the catalog's. Those that are usual come first.
 */
export function knownModels({ setup, listed, wanted, atMs }: ModelSource): readonly Omit<ModelChoice, 'port'>[] {
  const { providerId } = setup
  const catalog = createCatalog({ overrides: [], atMs })
  const models = withWanted(modelsOf(setup, listed), { providerId, wanted })
  return models.map(({ modelId, name, facts }) => {
    const known = catalog.factsOf({ providerId, seller: sellerOf(setup), modelId })
    const told = listed?.find((one) => one.modelId === modelId)
    return {
      modelId: `${providerId}/${modelId}`,
      providerModelId: modelId,
      name: name ?? told?.name ?? modelId,
      facts: {
        ...known,
        contextWindowTokens: setup.contextWindowTokens ?? told?.contextWindowTokens ?? known.contextWindowTokens,
        maxOutputTokens: told?.maxOutputTokens ?? known.maxOutputTokens,
        ...withoutCapabilities(facts),
        capabilities: { ...known.capabilities, ...facts.capabilities },
      },
    }
  })
}

function withoutCapabilities({ capabilities: _capabilities, ...facts }: ModelFactsOverride) {
  return facts
}

function modelsOf({ type, models }: ProviderSetup, listed: ModelSource['listed']): readonly ConfiguredModel[] {
  if (models) return models
  const usual = USUAL_MODELS[type]
  if (!listed) return usual.map(plain)
  const ids = listed.map(({ modelId }) => modelId)
  const first = usual.filter((modelId) => ids.includes(modelId))
  return [...first, ...ids.filter((modelId) => !first.includes(modelId) && isChatModel(modelId))].map(plain)
}

function withWanted(
  models: readonly ConfiguredModel[],
  { providerId, wanted }: { readonly providerId: string; readonly wanted: string | null },
): readonly ConfiguredModel[] {
  const prefix = `${providerId}/`
  if (!wanted?.startsWith(prefix)) return models
  const modelId = wanted.slice(prefix.length)
  return models.some((model) => model.modelId === modelId) ? models : [plain(modelId), ...models]
}

function plain(modelId: string): ConfiguredModel {
  return { modelId, name: null, facts: {} }
}

/** Who is paid, as the price data names them. */
function sellerOf(setup: ProviderSetup): string | null {
  switch (setup.type) {
    case 'anthropic':
      return 'anthropic'
    case 'openai-responses':
      return 'openai'
    case 'google':
      return 'google'
    case 'bedrock':
      return 'aws'
    case 'openai-chat':
      if (isLoopback(setup.baseUrl)) return 'local'
      return setup.vendor === 'openai' || setup.vendor === 'openrouter' ? setup.vendor : null
  }
}
