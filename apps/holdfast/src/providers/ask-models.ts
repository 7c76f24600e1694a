import { type ListedModel, type ProviderError, withoutSecrets } from '@holdfast/provider'
import { listAnthropicModels } from '@holdfast/provider/anthropic'
import { askContextWindow, listChatModels } from '@holdfast/provider/openai-chat'
import { type ProviderSetup, secretsOf } from './provider-setup.ts'

/** More models of one server than this are not asked one by one for their window. */
const MOST_ASKED = 20

/**
 * The models that a provider lists; null where it has no list that its key may read.
 *
 * @throws {ProviderError} when it refuses or does not answer.
 */
export async function askModels(setup: ProviderSetup, signal: AbortSignal): Promise<readonly ListedModel[] | null> {
  switch (setup.type) {
    case 'anthropic':
      return listAnthropicModels(setup, signal)
    case 'openai-responses':
      return listChatModels({ ...setup, vendor: 'openai' }, signal)
    case 'openai-chat':
      return withWindows(setup, await listChatModels(setup, signal), signal)
    case 'google': {
      const { listGoogleModels } = await import('@holdfast/provider/google')
      return listGoogleModels(setup, signal)
    }
    case 'bedrock':
      return null
  }
}

/** What a provider said no with, without its keys. [SEC4] */
export function problemOf(setup: ProviderSetup, error: ProviderError): string {
  return withoutSecrets(error, secretsOf(setup)).message
}

/** Servers that tell the window of a model only when they are asked for that one. */
async function withWindows(
  setup: Extract<ProviderSetup, { type: 'openai-chat' }>,
  models: readonly ListedModel[],
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  if (setup.vendor !== 'ollama' && setup.vendor !== 'llama-cpp') return models
  return Promise.all(
    models.map(async (model, index) => {
      if (index >= MOST_ASKED || model.contextWindowTokens !== null) return model
      const contextWindowTokens = await askContextWindow({ endpoint: setup, modelId: model.modelId }, signal)
      return { ...model, contextWindowTokens }
    }),
  )
}
