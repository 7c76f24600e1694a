import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import type { FormatName, StrictProvider } from '@holdfast/conformance'
import type { AnswerBlock } from '@holdfast/conversation'
import { HTTP_LIMITS, type ModelPort, type ModelRequest, type RequestMessage, sharedTools } from '@holdfast/provider'
import { createAiSdkModel } from '@holdfast/provider/ai-sdk'
import { createAnthropicModel } from '@holdfast/provider/anthropic'
import { createBedrockModel } from '@holdfast/provider/bedrock'
import { createGoogleModel } from '@holdfast/provider/google'
import { createChatModel, PLAIN_CHAT } from '@holdfast/provider/openai-chat'
import { createResponsesModel } from '@holdfast/provider/openai-responses'
import { type CollectedAnswer, collectParts, noAbort, PLAIN_REQUEST, readAll } from '@holdfast/provider/testing'
import { countingIds } from './adapters.ts'

/** A picture of one pixel; the only blob that there is. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
export const PICTURE_HASH = 'b'.repeat(64)

/** Where the picture is read. */
/** The picture of the tests, by its hash. */
export const PICTURES = {
  read: (hash: string): Promise<Uint8Array> =>
    hash === PICTURE_HASH ? Promise.resolve(PICTURE) : Promise.reject(new Error(`There is no blob ${hash}`)),
}

/** Where an adapter is sent: the addresses of a strict provider, or bad ones. */
export type Addresses = StrictProvider['urls']

/** One adapter in the form that the strict provider meets it. */
export interface StrictPort {
  readonly name: string
  readonly format: FormatName
  readonly modelId: string
  /** Whether the adapter speaks HTTP and the format itself. */
  readonly isOurs: boolean
  /** Whether thinking comes through and goes back. */
  readonly thinks: boolean
  /** Who decides what is kept: marks of the request, or the server. */
  readonly cache: 'marks' | 'automatic'
  /** Whether figures come before the first content, and so for a stopped request. [STOP8] */
  readonly tellsUsageEarly: boolean
  open(urls: Addresses): ModelPort
}

const KEY = 'key-for-tests'
const BEDROCK = { region: 'us-east-1', credentials: { type: 'api-key', apiKey: KEY } } as const

/** Every adapter of the package, and the AI SDK's own for the two formats that we speak ourselves. */
export const STRICT_PORTS: readonly StrictPort[] = [
  {
    name: 'anthropic',
    format: 'anthropic',
    modelId: 'claude-opus-5-5',
    isOurs: true,
    thinks: true,
    cache: 'marks',
    tellsUsageEarly: true,
    open: (urls) =>
      createAnthropicModel({
        providerId: 'anthropic',
        baseUrl: urls.anthropic,
        apiKey: KEY,
        headers: {},
        limits: HTTP_LIMITS,
        ids: countingIds(),
        defaultMaxOutputTokens: () => 4_096,
      }),
  },
  {
    name: 'openai-chat',
    format: 'openai-chat',
    modelId: 'kimi-k2-thinking',
    isOurs: true,
    thinks: true,
    cache: 'automatic',
    tellsUsageEarly: false,
    open: (urls) =>
      createChatModel({
        providerId: 'moonshot',
        vendor: 'openai-compatible',
        baseUrl: urls.openai,
        apiKey: KEY,
        headers: {},
        limits: HTTP_LIMITS,
        ids: countingIds(),
        traitsOf: () => ({ ...PLAIN_CHAT, reasoningReplay: 'reasoning_content' }),
      }),
  },
  {
    name: 'openai-responses',
    format: 'openai-responses',
    modelId: 'gpt-5.2',
    isOurs: false,
    thinks: true,
    cache: 'automatic',
    tellsUsageEarly: false,
    open: (urls) =>
      createResponsesModel({
        providerId: 'openai',
        baseUrl: urls.openai,
        apiKey: KEY,
        headers: {},
        ids: countingIds(),
      }),
  },
  {
    name: 'google',
    format: 'gemini',
    modelId: 'gemini-3-pro',
    isOurs: false,
    thinks: true,
    cache: 'automatic',
    tellsUsageEarly: true,
    open: (urls) =>
      createGoogleModel({
        providerId: 'google',
        baseUrl: urls.gemini,
        apiKey: KEY,
        headers: {},
        ids: countingIds(),
      }),
  },
  {
    name: 'bedrock by Converse',
    format: 'bedrock-converse',
    modelId: 'anthropic.claude-sonnet-4-5-v1:0',
    isOurs: false,
    thinks: true,
    cache: 'marks',
    tellsUsageEarly: false,
    open: (urls) =>
      createBedrockModel({
        ...BEDROCK,
        providerId: 'bedrock',
        baseUrl: urls.bedrock,
        route: 'converse',
        ids: countingIds(),
      }),
  },
  {
    name: 'bedrock by Messages',
    format: 'bedrock-claude',
    modelId: 'anthropic.claude-opus-5-5-v1:0',
    isOurs: false,
    thinks: true,
    cache: 'marks',
    tellsUsageEarly: true,
    open: (urls) =>
      createBedrockModel({
        ...BEDROCK,
        providerId: 'bedrock',
        baseUrl: urls.bedrock,
        route: 'messages',
        ids: countingIds(),
      }),
  },
  {
    name: "the AI SDK's Anthropic",
    format: 'anthropic',
    modelId: 'claude-opus-5-5',
    isOurs: false,
    thinks: true,
    cache: 'marks',
    tellsUsageEarly: true,
    open: (urls) => {
      const settings = { apiKey: KEY, baseURL: urls.anthropic }
      return createAiSdkModel({
        providerId: 'anthropic',
        vendor: 'anthropic',
        modelOf: (modelId, send) => createAnthropic({ ...settings, fetch: send })(modelId),
        ids: countingIds(),
        cacheMark: (ttl) => ({ anthropic: { cacheControl: { type: 'ephemeral', ttl } } }),
        optionsOf: ({ thinkingBudgetTokens: budgetTokens }) =>
          budgetTokens === null ? {} : { anthropic: { thinking: { type: 'enabled', budgetTokens } } },
      })
    },
  },
  {
    name: "the AI SDK's Chat Completions",
    format: 'openai-chat',
    modelId: 'gpt-5.2',
    isOurs: false,
    thinks: false,
    cache: 'automatic',
    tellsUsageEarly: false,
    open: (urls) => {
      const settings = { apiKey: KEY, baseURL: urls.openai }
      return createAiSdkModel({
        providerId: 'openai',
        vendor: 'openai',
        modelOf: (modelId, send) => createOpenAI({ ...settings, fetch: send }).chat(modelId),
        ids: countingIds(),
        cacheMark: null,
        optionsOf: () => ({}),
      })
    },
  },
]

/** A request of a conversation with one tool, whose definition nobody can change: packages of vendors must not either. */
export function requestOf(port: StrictPort, messages: readonly RequestMessage[]): ModelRequest {
  return {
    ...PLAIN_REQUEST,
    modelId: port.modelId,
    system: 'You read files.',
    tools: sharedTools([
      {
        name: 'read',
        description: 'Reads a file.',
        parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
    ]),
    messages,
    maxOutputTokens: 4_000,
  }
}

/** What a person says. */
export function says(text: string): RequestMessage {
  return { role: 'user', parts: [{ type: 'text', text }] }
}

/** Asks and reads the whole answer. @throws where it fails. */
export async function ask(model: ModelPort, request: ModelRequest): Promise<CollectedAnswer> {
  const { parts, error } = await readAll((onPart) =>
    model.stream(request, { signal: noAbort(), blobs: PICTURES, onPart }),
  )
  if (error) throw error
  return collectParts(parts)
}

/** The request of the next step: the answer, and a result for each of its calls. The second one failed. */
export function nextStep(request: ModelRequest, { blocks }: CollectedAnswer): ModelRequest {
  const results = callsOf(blocks).map(
    ({ callId }, index): RequestMessage => ({
      role: 'tool',
      callId,
      isError: index === 1,
      content: [{ type: 'text', text: index === 1 ? 'There is no such file.' : 'one line' }],
    }),
  )
  return { ...request, messages: [...request.messages, { role: 'assistant', blocks }, ...results] }
}

/** The calls among the blocks. */
export function callsOf(blocks: readonly AnswerBlock[]): readonly Extract<AnswerBlock, { type: 'tool-call' }>[] {
  return blocks.filter((block) => block.type === 'tool-call')
}
