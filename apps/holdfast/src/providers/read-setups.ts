import { HTTP_LIMITS, type HttpLimits, isLoopback } from '@holdfast/provider'
import type { BedrockCredentials } from '@holdfast/provider/bedrock'
import { CliError } from '../cli-error.ts'
import type { ConfigFile, ConfiguredProvider } from '../config-file-schema.ts'
import { configuredModels } from './configured-models.ts'
import type { ProviderSetup } from './provider-setup.ts'
import { USUAL_URLS } from './usual-urls.ts'

/** The environment as the setups need it: a variable that is empty is not set. */
export type Variable = (name: string) => string | undefined

const ANTHROPIC_URL = USUAL_URLS.anthropic
const OPENAI_URL = USUAL_URLS['openai-responses']
const GOOGLE_URL = USUAL_URLS.google

/**
 * The providers of the file, in its order, then those of the environment that it does not name.
 *
 * @throws {CliError} when a provider has no key, or two have one id.
 */
export function readSetups(file: ConfigFile, variable: Variable): readonly ProviderSetup[] {
  const limits = limitsOf(file)
  const setups = (file.providers ?? []).map((provider, index) => ofFile(provider, { index, limits, variable }))
  const ids = setups.map(({ providerId }) => providerId)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index || id === 'demo')
  if (twice !== undefined)
    throw new CliError('E_CONFIG', 2, `providers: the id "${twice}" is taken. Give each provider an id of its own.`)
  return [...setups, ...ofEnvironment(variable, limits).filter(({ providerId }) => !ids.includes(providerId))]
}

/** How long a provider may take, as the file has it. */
export function limitsOf({ limits }: ConfigFile): HttpLimits {
  return {
    ...HTTP_LIMITS,
    ...(limits?.connectMs === undefined ? {} : { connectMs: limits.connectMs }),
    ...(limits?.answerMs === undefined ? {} : { headersMs: limits.answerMs }),
  }
}

function ofEnvironment(variable: Variable, limits: HttpLimits): readonly ProviderSetup[] {
  const shared = { headers: {}, models: null, limits }
  const setups: ProviderSetup[] = []
  const anthropicUrl = variable('ANTHROPIC_BASE_URL') ?? ANTHROPIC_URL
  const anthropicKey = variable('ANTHROPIC_API_KEY')
  if (anthropicKey !== undefined)
    setups.push({
      ...shared,
      type: 'anthropic',
      providerId: 'anthropic',
      name: 'Anthropic',
      baseUrl: anthropicUrl,
      apiKey: anthropicKey,
    })
  const openaiUrl = variable('OPENAI_BASE_URL')
  const openaiKey = variable('OPENAI_API_KEY')
  const openai = { ...shared, providerId: 'openai', name: 'OpenAI' }
  // Responses is OpenAI's own form; what others put at an address of theirs is Chat Completions.
  if (openaiUrl === undefined && openaiKey !== undefined)
    setups.push({ ...openai, type: 'openai-responses', baseUrl: OPENAI_URL, apiKey: openaiKey })
  if (openaiUrl !== undefined && (openaiKey !== undefined || isLoopback(openaiUrl)))
    setups.push({
      ...openai,
      type: 'openai-chat',
      vendor: 'openai-compatible',
      baseUrl: openaiUrl,
      apiKey: openaiKey ?? null,
    })
  const googleKey = variable('GOOGLE_GENERATIVE_AI_API_KEY')
  if (googleKey !== undefined) {
    const baseUrl = variable('GOOGLE_GENERATIVE_AI_BASE_URL') ?? GOOGLE_URL
    setups.push({ ...shared, type: 'google', providerId: 'google', name: 'Google', baseUrl, apiKey: googleKey })
  }
  const credentials = bedrockCredentials(variable)
  if (credentials) {
    const region = variable('AWS_REGION') ?? variable('AWS_DEFAULT_REGION') ?? 'us-east-1'
    const baseUrl = variable('BEDROCK_BASE_URL') ?? null
    setups.push({
      ...shared,
      type: 'bedrock',
      providerId: 'bedrock',
      name: 'Amazon Bedrock',
      baseUrl,
      region,
      credentials,
    })
  }
  return setups
}

function bedrockCredentials(variable: Variable): BedrockCredentials | null {
  const apiKey = variable('AWS_BEARER_TOKEN_BEDROCK')
  if (apiKey !== undefined) return { type: 'api-key', apiKey }
  const accessKeyId = variable('AWS_ACCESS_KEY_ID')
  const secretAccessKey = variable('AWS_SECRET_ACCESS_KEY')
  if (accessKeyId === undefined || secretAccessKey === undefined) return null
  return { type: 'access-key', accessKeyId, secretAccessKey, sessionToken: variable('AWS_SESSION_TOKEN') ?? null }
}

function ofFile(
  provider: ConfiguredProvider,
  { index, limits, variable }: { readonly index: number; readonly limits: HttpLimits; readonly variable: Variable },
): ProviderSetup {
  const shared = {
    providerId: provider.id,
    name: provider.name ?? provider.id,
    headers: provider.headers ?? {},
    models: provider.models === undefined ? null : configuredModels(provider.models),
    limits,
  }
  const key = keyOf(provider, index, variable)
  const needed = (usual: string): string => {
    const found = key ?? variable(usual)
    if (found !== undefined) return found
    throw missingKey(`providers.${index} (${provider.id}) has no key`, usual)
  }
  switch (provider.type) {
    case 'anthropic': {
      const baseUrl = provider.baseUrl ?? ANTHROPIC_URL
      return { ...shared, type: 'anthropic', baseUrl, apiKey: needed('ANTHROPIC_API_KEY') }
    }
    case 'openai-responses': {
      const baseUrl = provider.baseUrl ?? OPENAI_URL
      return { ...shared, type: 'openai-responses', baseUrl, apiKey: needed('OPENAI_API_KEY') }
    }
    case 'openai-chat': {
      const { baseUrl, server } = provider
      return { ...shared, type: 'openai-chat', vendor: server ?? 'openai-compatible', baseUrl, apiKey: key ?? null }
    }
    case 'google': {
      const baseUrl = provider.baseUrl ?? GOOGLE_URL
      return { ...shared, type: 'google', baseUrl, apiKey: needed('GOOGLE_GENERATIVE_AI_API_KEY') }
    }
    case 'bedrock': {
      const credentials: BedrockCredentials | null =
        key === undefined ? bedrockCredentials(variable) : { type: 'api-key', apiKey: key }
      if (!credentials) throw missingKey(`providers.${index} (${provider.id}) has no key`, 'AWS_ACCESS_KEY_ID')
      const region = provider.region ?? variable('AWS_REGION') ?? 'us-east-1'
      return { ...shared, type: 'bedrock', baseUrl: provider.baseUrl ?? null, region, credentials }
    }
  }
}

function keyOf({ apiKey, apiKeyEnv, id }: ConfiguredProvider, index: number, variable: Variable): string | undefined {
  if (apiKeyEnv === undefined) return apiKey
  const found = variable(apiKeyEnv)
  if (found !== undefined) return found
  throw missingKey(`providers.${index} (${id}) takes its key from ${apiKeyEnv}, which is not set`, apiKeyEnv)
}

function missingKey(what: string, name: string): CliError {
  return new CliError('E_CONFIG', 2, `${what}. Set the environment variable ${name}, or apiKey in the file.`)
}
