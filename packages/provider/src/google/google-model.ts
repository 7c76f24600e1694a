import { createGoogleGenerativeAI } from '@ai-sdk/google'
import type { Ids } from '@holdfast/conversation'
import { createAiSdkModel } from '../ai-sdk/ai-sdk-model.ts'
import { packageParameters } from '../ai-sdk/call-settings.ts'
import type { WirePort } from '../model-port.ts'
import { alternateRoles } from './alternate-roles.ts'

/** What the adapter is made of. */
export interface GoogleModelDeps {
  readonly providerId: string
  /** With its version: `https://generativelanguage.googleapis.com/v1beta`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly headers: Readonly<Record<string, string>>
  readonly ids: Ids
}

/** Makes the way to a Gemini model, over the AI SDK's package. */
export function createGoogleModel({ providerId, baseUrl, apiKey, headers, ids }: GoogleModelDeps): WirePort {
  const settings = { baseURL: baseUrl, apiKey, headers: { ...headers } }
  return createAiSdkModel({
    providerId,
    vendor: 'google',
    modelOf: (modelId, send) => createGoogleGenerativeAI({ ...settings, fetch: alternating(send) })(modelId),
    bindsThinking: () => false,
    ids,
    cacheMark: null,
    optionsOf: ({ thinkingBudgetTokens, parameters }) => ({
      google: {
        ...(thinkingBudgetTokens === null
          ? {}
          : { thinkingConfig: { includeThoughts: true, thinkingBudget: thinkingBudgetTokens } }),
        ...packageParameters(parameters),
      },
    }),
  })
}

/** The package's requests, with roles that alternate. */
function alternating(send: typeof fetch): typeof fetch {
  return (input, init) =>
    send(input, typeof init?.body === 'string' ? { ...init, body: alternateRoles(init.body) } : init)
}
