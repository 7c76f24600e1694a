import type { HttpLimits, ModelFactsOverride, Vendor } from '@holdfast/provider'
import type { BedrockCredentials } from '@holdfast/provider/bedrock'

/** A model that the operator names. */
export interface ConfiguredModel {
  readonly modelId: string
  /** Null for its id. */
  readonly name: string | null
  readonly facts: ModelFactsOverride
}

interface Shared {
  /** Stands before the slash in the ids of its models. */
  readonly providerId: string
  /** For people. */
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** Null where the server is asked, or the usual ones are taken. */
  readonly models: readonly ConfiguredModel[] | null
  /** The window of all its models, as a person set it; absent where nobody did. [WIN8] */
  readonly contextWindowTokens?: number
  readonly limits: HttpLimits
}

/** A provider as it is set up: the form that it speaks, where, and who asks. */
export type ProviderSetup =
  | (Shared & { readonly type: 'anthropic'; readonly baseUrl: string; readonly apiKey: string })
  | (Shared & { readonly type: 'openai-responses'; readonly baseUrl: string; readonly apiKey: string })
  | (Shared & {
      readonly type: 'openai-chat'
      readonly baseUrl: string
      readonly vendor: Vendor
      /** Null on this machine. */
      readonly apiKey: string | null
    })
  | (Shared & { readonly type: 'google'; readonly baseUrl: string; readonly apiKey: string })
  | (Shared & {
      readonly type: 'bedrock'
      /** Null for AWS itself. */
      readonly baseUrl: string | null
      readonly region: string
      readonly credentials: BedrockCredentials
    })

/** Everything of a setup that must never be seen again. [SEC4] */
export function secretsOf(setup: ProviderSetup): readonly string[] {
  const headers = Object.values(setup.headers)
  if (setup.type !== 'bedrock') return setup.apiKey === null ? headers : [setup.apiKey, ...headers]
  const { credentials } = setup
  if (credentials.type === 'api-key') return [credentials.apiKey, ...headers]
  const { secretAccessKey, sessionToken, accessKeyId } = credentials
  return [accessKeyId, secretAccessKey, ...(sessionToken === null ? [] : [sessionToken]), ...headers]
}

/** The key of a setup, of which people are shown the end; null where there is none. */
export function keyOfSetup(setup: ProviderSetup): string | null {
  if (setup.type !== 'bedrock') return setup.apiKey
  const { credentials } = setup
  return credentials.type === 'api-key' ? credentials.apiKey : credentials.accessKeyId
}
