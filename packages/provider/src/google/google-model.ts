import { createGoogleGenerativeAI } from '@ai-sdk/google'
import type { Ids } from '@holdfast/conversation'
import { createAiSdkModel } from '../ai-sdk/ai-sdk-model.ts'
import { packageParameters } from '../ai-sdk/call-settings.ts'
import type { BlobSource } from '../blob-source.ts'
import type { ModelPort } from '../model-port.ts'

/** What the adapter is made of. */
export interface GoogleModelDependencies {
  readonly providerId: string
  /** With its version: `https://generativelanguage.googleapis.com/v1beta`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly headers: Readonly<Record<string, string>>
  readonly blobs: BlobSource
  readonly ids: Ids
}

/** Makes the way to a Gemini model, over the AI SDK's package. */
export function createGoogleModel({
  providerId,
  baseUrl,
  apiKey,
  headers,
  blobs,
  ids,
}: GoogleModelDependencies): ModelPort {
  const provider = createGoogleGenerativeAI({ baseURL: baseUrl, apiKey, headers: { ...headers } })
  return createAiSdkModel({
    providerId,
    vendor: 'google',
    modelOf: (modelId) => provider(modelId),
    blobs,
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
