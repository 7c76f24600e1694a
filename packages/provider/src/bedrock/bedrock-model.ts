import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAmazonBedrockAnthropic } from '@ai-sdk/amazon-bedrock/anthropic'
import type { Ids } from '@holdfast/conversation'
import { type AiSdkModelDeps, createAiSdkModel } from '../ai-sdk/ai-sdk-model.ts'
import { packageParameters } from '../ai-sdk/call-settings.ts'
import type { WirePort } from '../model-port.ts'
import { claudeBindsThinking, claudeTakesEffort } from '../wire/claude-thinking.ts'
import { thinkingEffort } from '../wire/thinking-effort.ts'
import { withCallsAsText } from './calls-as-text.ts'

/** Who asks: a key of Bedrock's own, or an AWS identity that signs every request. */
export type BedrockCredentials =
  | { readonly type: 'api-key'; readonly apiKey: string }
  | {
      readonly type: 'access-key'
      readonly accessKeyId: string
      readonly secretAccessKey: string
      /** Null for keys that last. */
      readonly sessionToken: string | null
    }

/** What the adapter is made of. */
export interface BedrockModelDeps {
  readonly providerId: string
  readonly region: string
  /** Null for AWS itself, in the region. */
  readonly baseUrl: string | null
  readonly credentials: BedrockCredentials
  /** `messages` is Claude's own body on Bedrock, with all that it can say; `converse` is the form of all models. */
  readonly route: 'messages' | 'converse'
  readonly ids: Ids
}

/** Makes the way to a model on Amazon Bedrock, over the AI SDK's package. */
export function createBedrockModel(deps: BedrockModelDeps): WirePort {
  const { providerId, ids, route } = deps
  const model = createAiSdkModel({
    providerId,
    vendor: 'bedrock',
    bindsThinking: claudeBindsThinking,
    ids,
    ...(route === 'messages' ? byMessages(deps) : byConverse(deps)),
  })
  if (route === 'messages') return model
  return {
    ...model,
    stream: (request, ports) => model.stream(withCallsAsText(request), ports),
    wireBody: (request, source) => model.wireBody(withCallsAsText(request), source),
  }
}

/** Asks Claude for thinking in the form that the model takes. */
function thinkingOptions(modelId: string, budgetTokens: number) {
  if (!claudeTakesEffort(modelId)) return { thinking: { type: 'enabled', budgetTokens } }
  return { thinking: { type: 'adaptive' }, effort: thinkingEffort(budgetTokens) }
}

type Route = Pick<AiSdkModelDeps, 'modelOf' | 'cacheMark' | 'optionsOf'>

function byMessages(deps: BedrockModelDeps): Route {
  return {
    modelOf: (modelId, send) => createAmazonBedrockAnthropic(settingsOf(deps, send))(modelId),
    cacheMark: (ttl) => ({ anthropic: { cacheControl: { type: 'ephemeral', ttl } } }),
    optionsOf: ({ modelId, thinkingBudgetTokens, parameters }) => ({
      anthropic: {
        ...(thinkingBudgetTokens === null ? {} : thinkingOptions(modelId, thinkingBudgetTokens)),
        ...packageParameters(parameters),
      },
    }),
  }
}

function byConverse(deps: BedrockModelDeps): Route {
  return {
    modelOf: (modelId, send) => createAmazonBedrock(settingsOf(deps, send))(modelId),
    cacheMark: (ttl) => ({ bedrock: { cachePoint: { type: 'default', ttl } } }),
    optionsOf: ({ thinkingBudgetTokens, parameters }) => ({
      bedrock: {
        ...(thinkingBudgetTokens === null
          ? {}
          : { reasoningConfig: { type: 'enabled', budgetTokens: thinkingBudgetTokens } }),
        ...packageParameters(parameters),
      },
    }),
  }
}

/** The package asks the environment for what it is not given; it is given everything. */
function settingsOf({ region, baseUrl, credentials }: BedrockModelDeps, send: typeof fetch) {
  const place = { region, fetch: send, ...(baseUrl === null ? {} : { baseURL: baseUrl }) }
  switch (credentials.type) {
    case 'api-key':
      return { ...place, apiKey: credentials.apiKey }
    case 'access-key': {
      const { accessKeyId, secretAccessKey, sessionToken } = credentials
      const identity = { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) }
      return { ...place, apiKey: '', credentialProvider: () => Promise.resolve(identity) }
    }
  }
}
