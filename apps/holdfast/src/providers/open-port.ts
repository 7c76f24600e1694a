import type { Ids } from '@holdfast/conversation'
import { claudeBindsThinking, hideSecrets, type ModelPort, type ModelRequest, type WirePort } from '@holdfast/provider'
import { createAnthropicModel } from '@holdfast/provider/anthropic'
import { type ChatTraits, createChatModel, PLAIN_CHAT, traitsOfModel } from '@holdfast/provider/openai-chat'
import { type ProviderSetup, secretsOf } from './provider-setup.ts'

/** What a port needs besides its setup. */
export interface PortDeps {
  readonly ids: Ids
  /** The most that a model writes; null where it is not known. */
  readonly maxOutputTokensOf: (modelId: string) => number | null
}

/** Anthropic asks for a limit in every request; every one of its models writes so much. */
const LEAST_MAX_OUTPUT_TOKENS = 8_192

/** Makes the way to the models of a provider. The limit of output is always said; keys are in no error. [SEC4] */
export function openPort(setup: ProviderSetup, deps: PortDeps): ModelPort {
  return hideSecrets(withOutputLimit(portOf(setup, deps), deps), secretsOf(setup))
}

function portOf(setup: ProviderSetup, { ids, maxOutputTokensOf }: PortDeps): WirePort {
  const { providerId, headers, limits } = setup
  switch (setup.type) {
    case 'anthropic': {
      const { baseUrl, apiKey } = setup
      const defaultMaxOutputTokens = (modelId: string) => maxOutputTokensOf(modelId) ?? LEAST_MAX_OUTPUT_TOKENS
      return createAnthropicModel({ providerId, baseUrl, apiKey, headers, limits, ids, defaultMaxOutputTokens })
    }
    case 'openai-chat': {
      const { baseUrl, apiKey, vendor } = setup
      const traitsOf = (modelId: string) => traitsOfModel(traits(setup), modelId)
      return createChatModel({ providerId, vendor, baseUrl, apiKey, headers, limits, ids, traitsOf })
    }
    case 'openai-responses': {
      const { baseUrl, apiKey } = setup
      return loadedLater({ providerId, bindsThinking: () => false }, async () => {
        const { createResponsesModel } = await import('@holdfast/provider/openai-responses')
        return createResponsesModel({ providerId, baseUrl, apiKey, headers, ids })
      })
    }
    case 'google': {
      const { baseUrl, apiKey } = setup
      return loadedLater({ providerId, bindsThinking: () => false }, async () => {
        const { createGoogleModel } = await import('@holdfast/provider/google')
        return createGoogleModel({ providerId, baseUrl, apiKey, headers, ids })
      })
    }
    case 'bedrock': {
      const { baseUrl, region, credentials } = setup
      return loadedLater({ providerId, bindsThinking: claudeBindsThinking }, async () => {
        const { createBedrockModel } = await import('@holdfast/provider/bedrock')
        const shared = { providerId, region, baseUrl, credentials, ids }
        const messages = createBedrockModel({ ...shared, route: 'messages' })
        const converse = createBedrockModel({ ...shared, route: 'converse' })
        const routeOf = (modelId: string) => (isClaude(modelId) ? messages : converse)
        return {
          providerId,
          stream: (request, ports) => routeOf(request.modelId).stream(request, ports),
          wireBody: (request, blobs) => routeOf(request.modelId).wireBody(request, blobs),
        }
      })
    }
  }
}

/** Claude has a route of its own on Bedrock, with all that it can say. */
function isClaude(modelId: string): boolean {
  return /(?:^|\.)anthropic\./.test(modelId)
}

/** A port whose package is loaded with the first request: the start is not slowed by providers that nobody uses. */
function loadedLater(
  known: Required<Pick<ModelPort, 'providerId' | 'bindsThinking'>>,
  load: () => Promise<WirePort>,
): WirePort {
  let loading: Promise<WirePort> | null = null
  return {
    ...known,
    async stream(request, ports) {
      loading ??= load()
      await (await loading).stream(request, ports)
    },
    async wireBody(request, blobs) {
      loading ??= load()
      return (await loading).wireBody(request, blobs)
    },
  }
}

function withOutputLimit(port: WirePort, { maxOutputTokensOf }: PortDeps): WirePort {
  const limited = (request: ModelRequest): ModelRequest => {
    return { ...request, maxOutputTokens: request.maxOutputTokens ?? maxOutputTokensOf(request.modelId) }
  }
  return {
    ...port,
    stream: (request, ports) => port.stream(limited(request), ports),
    wireBody: (request, blobs) => port.wireBody(limited(request), blobs),
  }
}

function traits({ vendor }: Extract<ProviderSetup, { type: 'openai-chat' }>): ChatTraits {
  switch (vendor) {
    case 'openai':
      return { ...PLAIN_CHAT, outputLimitField: 'max_completion_tokens', thinking: 'effort' }
    case 'openrouter':
      return { ...PLAIN_CHAT, reasoningReplay: 'reasoning_details', thinking: 'openrouter' }
    case 'ollama':
    case 'lm-studio':
    case 'llama-cpp':
    case 'vllm':
    case 'openai-compatible':
    case 'anthropic':
    case 'bedrock':
    case 'google':
      return PLAIN_CHAT
  }
}
