import { requestJson } from '../http/http-json.ts'
import type { ListedModel } from '../listed-model.ts'
import { ProviderError } from '../model-port.ts'
import { endpointUrl, serverUrl } from '../wire/base-url.ts'
import { asCount, asList, asRecord, asString, type JsonRecord } from '../wire/json-reader.ts'
import { type ChatEndpoint, chatHeaders } from './chat-model.ts'

/** A question to a server besides the one of its format. */
interface Question {
  readonly endpoint: ChatEndpoint
  readonly url: string
  readonly body: string | null
  readonly signal: AbortSignal
}

/**
 * The models of a server, with their windows where it tells: vLLM and OpenRouter in the list itself, LM Studio in
 * its own. Others are asked one by one with `askContextWindow`.
 *
 * @throws {ProviderError} when the server refuses or does not answer.
 */
export async function listChatModels(endpoint: ChatEndpoint, signal: AbortSignal): Promise<readonly ListedModel[]> {
  const url =
    endpoint.vendor === 'lm-studio'
      ? serverUrl(endpoint.baseUrl, '/api/v0/models')
      : endpointUrl(endpoint.baseUrl, '/models')
  const answer = asRecord(await ask({ endpoint, url, body: null, signal }))
  return asList(answer?.data).flatMap((entry) => listed(asRecord(entry)))
}

/**
 * How many tokens fit into the window of a model as its server runs it, or null when it does not tell.
 *
 * @throws {ProviderError} when the server refuses or does not answer.
 */
export async function askContextWindow(
  { endpoint, modelId }: { readonly endpoint: ChatEndpoint; readonly modelId: string },
  signal: AbortSignal,
): Promise<number | null> {
  const { vendor, baseUrl } = endpoint
  switch (vendor) {
    case 'ollama': {
      const running = asRecord(await ask({ endpoint, url: serverUrl(baseUrl, '/api/ps'), body: null, signal }))
      const body = JSON.stringify({ model: modelId })
      const show = asRecord(await ask({ endpoint, url: serverUrl(baseUrl, '/api/show'), body, signal }))
      return runningWindow(running, modelId) ?? ollamaWindow(show)
    }
    case 'llama-cpp': {
      const props = asRecord(await ask({ endpoint, url: serverUrl(baseUrl, '/props'), body: null, signal }))
      return asCount(asRecord(props?.default_generation_settings)?.n_ctx) ?? asCount(props?.n_ctx)
    }
    case 'vllm':
    case 'lm-studio':
    case 'openrouter':
    case 'openai-compatible': {
      const models = await listChatModels(endpoint, signal)
      return models.find((model) => model.modelId === modelId)?.contextWindowTokens ?? null
    }
    case 'openai':
    case 'anthropic':
    case 'bedrock':
    case 'google':
      return null
  }
}

/** The window of a model that Ollama holds in memory. */
function runningWindow(running: JsonRecord | null, modelId: string): number | null {
  const models = asList(running?.models).map(asRecord)
  return asCount(models.find((model) => model?.name === modelId || model?.model === modelId)?.context_length)
}

/**
 * What Ollama runs the model with, not what the model could do: the server cuts the prompt at `num_ctx` without a
 * word. Only where that is not set is the model's own length all that is known.
 */
function ollamaWindow(show: JsonRecord | null): number | null {
  const set = /^num_ctx\s+(\d+)/m.exec(asString(show?.parameters) ?? '')?.[1]
  if (set !== undefined) return Number(set)
  const info = Object.entries(asRecord(show?.model_info) ?? {})
  return asCount(info.find(([key]) => key.endsWith('.context_length'))?.[1])
}

function listed(model: JsonRecord | null): ListedModel[] {
  const modelId = asString(model?.id)
  if (modelId === null) return []
  return [
    {
      modelId,
      name: asString(model?.name) ?? modelId,
      contextWindowTokens:
        asCount(model?.loaded_context_length) ??
        asCount(model?.max_model_len) ??
        asCount(model?.context_length) ??
        asCount(model?.context_window) ??
        asCount(asRecord(model?.meta)?.n_ctx) ??
        asCount(model?.max_context_length),
      maxOutputTokens:
        asCount(asRecord(model?.top_provider)?.max_completion_tokens) ?? asCount(model?.max_completion_tokens),
      ownedBy: asString(model?.owned_by),
    },
  ]
}

/** A server that does not know the question is one that does not tell. */
async function ask({ endpoint, url, body, signal }: Question): Promise<unknown> {
  const { vendor, limits } = endpoint
  const headers = chatHeaders(endpoint)
  try {
    return await requestJson({ vendor, method: body === null ? 'GET' : 'POST', url, headers, body, signal, limits })
  } catch (error) {
    if (error instanceof ProviderError && error.status === 404) return null
    throw error
  }
}
