import type { FormatName, StrictProvider } from '@holdfast/conformance'
import { systemIds } from '@holdfast/engine/system'
import { HTTP_LIMITS, type ModelPort } from '@holdfast/provider'
import { createAnthropicModel } from '@holdfast/provider/anthropic'
import { createBedrockModel } from '@holdfast/provider/bedrock'
import { createGoogleModel } from '@holdfast/provider/google'
import { createChatModel, PLAIN_CHAT } from '@holdfast/provider/openai-chat'
import { createResponsesModel } from '@holdfast/provider/openai-responses'

/** The base URLs of a strict provider. */
export type Addresses = StrictProvider['urls']

/** One of the five wire formats, with the adapter that the program uses for it. */
export interface WireFormat {
  readonly name: FormatName
  /** For people. */
  readonly title: string
  readonly modelId: string
  open(urls: Addresses): ModelPort
}

const apiKey = 'key-for-tests'
const common = { apiKey, ids: systemIds }
const http = { headers: {}, limits: HTTP_LIMITS }

/** The five formats. */
export const WIRE_FORMATS: readonly WireFormat[] = [
  {
    name: 'anthropic',
    title: 'Anthropic Messages',
    modelId: 'claude-opus-5-5',
    open: ({ anthropic: baseUrl }) =>
      createAnthropicModel({
        ...common,
        ...http,
        providerId: 'anthropic',
        baseUrl,
        defaultMaxOutputTokens: () => 4_096,
      }),
  },
  {
    name: 'openai-chat',
    title: 'Chat Completions',
    modelId: 'kimi-k2-thinking',
    open: ({ openai: baseUrl }) =>
      createChatModel({
        ...common,
        ...http,
        providerId: 'moonshot',
        vendor: 'openai-compatible',
        baseUrl,
        traitsOf: () => ({ ...PLAIN_CHAT, reasoningReplay: 'reasoning_content' }),
      }),
  },
  {
    name: 'openai-responses',
    title: 'Responses',
    modelId: 'gpt-5.2',
    open: ({ openai: baseUrl }) => createResponsesModel({ ...common, headers: {}, providerId: 'openai', baseUrl }),
  },
  {
    name: 'bedrock-converse',
    title: 'Bedrock Converse',
    modelId: 'anthropic.claude-sonnet-4-5-v1:0',
    open: ({ bedrock: baseUrl }) =>
      createBedrockModel({
        ids: systemIds,
        providerId: 'bedrock',
        region: 'us-east-1',
        baseUrl,
        route: 'converse',
        credentials: { type: 'api-key', apiKey },
      }),
  },
  {
    name: 'gemini',
    title: 'Gemini',
    modelId: 'gemini-3-pro',
    open: ({ gemini: baseUrl }) => createGoogleModel({ ...common, headers: {}, providerId: 'google', baseUrl }),
  },
]

/** The format of that name. @throws where there is none. */
export function wireFormatNamed(name: string): WireFormat {
  const found = WIRE_FORMATS.find((format) => format.name === name)
  if (!found) throw new RangeError(`There is no wire format ${name}: ${WIRE_FORMATS.map((one) => one.name).join(', ')}`)
  return found
}
