import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAmazonBedrockAnthropic } from '@ai-sdk/amazon-bedrock/anthropic'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import type { FormatName, StrictProvider } from '@holdfast/conformance'

const KEY = 'key-for-tests'

/** The model with which the tests of a format are driven. */
export const MODEL_OF: Readonly<Record<FormatName, string>> = {
  anthropic: 'claude-opus-5-5',
  'openai-chat': 'gpt-5.2',
  'openai-responses': 'gpt-5.2',
  gemini: 'gemini-3-pro',
  'bedrock-converse': 'anthropic.claude-sonnet-4-5-v1:0',
  'bedrock-claude': 'anthropic.claude-opus-5-5-v1:0',
}

/** The vendor's model of the AI SDK, pointed at the strict provider. */
export function clientOf(format: FormatName, { urls }: StrictProvider, modelId: string): LanguageModelV4 {
  switch (format) {
    case 'anthropic':
      return createAnthropic({ baseURL: urls.anthropic, apiKey: KEY })(modelId)
    case 'openai-chat':
      return createOpenAI({ baseURL: urls.openai, apiKey: KEY }).chat(modelId)
    case 'openai-responses':
      return createOpenAI({ baseURL: urls.openai, apiKey: KEY }).responses(modelId)
    case 'gemini':
      return createGoogleGenerativeAI({ baseURL: urls.gemini, apiKey: KEY })(modelId)
    case 'bedrock-converse':
      return createAmazonBedrock({ baseURL: urls.bedrock, apiKey: KEY, region: 'us-east-1' })(modelId)
    case 'bedrock-claude':
      return createAmazonBedrockAnthropic({ baseURL: urls.bedrock, apiKey: KEY, region: 'us-east-1' })(modelId)
  }
}

/** Options with which each vendor's client sends thinking back. */
const THINKING_OPTIONS: SharedV4ProviderOptions = {
  openai: { store: false, include: ['reasoning.encrypted_content'] },
  anthropic: { thinking: { type: 'adaptive' } },
  google: { thinkingConfig: { includeThoughts: true } },
}

export const READ_TOOL = {
  type: 'function',
  name: 'read',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
} as const

/** A message of the user, marked for the cache where asked. */
export function userSays(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

/** All parts of one streamed answer. */
export async function readAll(
  model: LanguageModelV4,
  options: Omit<LanguageModelV4CallOptions, 'prompt'> & { readonly prompt: readonly LanguageModelV4Message[] },
): Promise<readonly LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream({
    tools: [READ_TOOL],
    maxOutputTokens: 4_000,
    providerOptions: THINKING_OPTIONS,
    ...options,
    prompt: [...options.prompt],
  })
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>
type AssistantContent = AssistantMessage['content'][number]

/** The answer as the message that a client sends back, every vendor's opaque data included. */
export function asMessage(parts: readonly LanguageModelV4StreamPart[]): AssistantMessage {
  const content: AssistantContent[] = []
  const metadata = new Map<string, SharedV4ProviderOptions>()
  const texts = new Map<string, string>()
  const note = (id: string, given: SharedV4ProviderOptions | undefined) => {
    const before = metadata.get(id) ?? {}
    const merged = Object.entries(given ?? {}).map(([vendor, data]) => [vendor, { ...before[vendor], ...data }])
    metadata.set(id, { ...before, ...Object.fromEntries(merged) })
  }
  for (const part of parts) {
    switch (part.type) {
      case 'reasoning-start':
      case 'text-start':
        note(part.id, part.providerMetadata)
        texts.set(part.id, '')
        break
      case 'reasoning-delta':
      case 'text-delta':
        note(part.id, part.providerMetadata)
        texts.set(part.id, (texts.get(part.id) ?? '') + part.delta)
        break
      case 'reasoning-end':
      case 'text-end': {
        note(part.id, part.providerMetadata)
        const type = part.type === 'text-end' ? 'text' : 'reasoning'
        content.push({ type, text: texts.get(part.id) ?? '', providerOptions: metadata.get(part.id) ?? {} })
        break
      }
      case 'tool-call': {
        const { toolCallId, toolName, input, providerMetadata } = part
        const call = { type: 'tool-call', toolCallId, toolName, input: JSON.parse(input) } as const
        content.push(providerMetadata === undefined ? call : { ...call, providerOptions: providerMetadata })
        break
      }
      // The other parts are not content.
      default:
        break
    }
  }
  return { role: 'assistant', content }
}

/** Results for all calls of a message, in one tool message. */
export function answersTo(message: AssistantMessage): LanguageModelV4Message {
  return {
    role: 'tool',
    content: message.content.flatMap((part) =>
      part.type === 'tool-call'
        ? [
            {
              type: 'tool-result' as const,
              toolCallId: part.toolCallId,
              toolName: part.toolName,
              output: { type: 'text' as const, value: 'one line' },
            },
          ]
        : [],
    ),
  }
}
