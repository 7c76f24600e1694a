import { createOpenAI } from '@ai-sdk/openai'
import type { Ids } from '@holdfast/conversation'
import { createAiSdkModel } from '../ai-sdk/ai-sdk-model.ts'
import { packageParameters } from '../ai-sdk/call-settings.ts'
import type { WirePort } from '../model-port.ts'
import { endpointUrl } from '../wire/base-url.ts'
import { thinkingEffort } from '../wire/thinking-effort.ts'

/** What the adapter is made of. */
export interface ResponsesModelDeps {
  readonly providerId: string
  /** With or without `/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly headers: Readonly<Record<string, string>>
  readonly ids: Ids
}

/**
 * Makes the way to a model by OpenAI's Responses, over the AI SDK's package.
 *
 * Nothing is stored at OpenAI: the log is the history, and reasoning comes back encrypted and whole.
 */
export function createResponsesModel({ providerId, baseUrl, apiKey, headers, ids }: ResponsesModelDeps): WirePort {
  const settings = { baseURL: endpointUrl(baseUrl, ''), apiKey, headers: { ...headers } }
  return createAiSdkModel({
    providerId,
    vendor: 'openai',
    modelOf: (modelId, send) => createOpenAI({ ...settings, fetch: send }).responses(modelId),
    bindsThinking: () => false,
    ids,
    cacheMark: null,
    optionsOf: ({ thinkingBudgetTokens, parameters }) => ({
      openai: {
        store: false,
        ...(thinkingBudgetTokens === null
          ? {}
          : { reasoningEffort: thinkingEffort(thinkingBudgetTokens), reasoningSummary: 'auto' }),
        ...packageParameters(parameters),
      },
    }),
  })
}
