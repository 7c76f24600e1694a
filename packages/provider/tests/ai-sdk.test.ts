import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import type { ModelPort } from '@holdfast/provider'
import { createAiSdkModel } from '@holdfast/provider/ai-sdk'
import { describeModelPort } from '@holdfast/provider/testing'
import { countingIds } from './support/adapters.ts'
import { ANTHROPIC_WIRE } from './support/anthropic-wire.ts'
import { CHAT_WIRE } from './support/chat-wire.ts'

function openAnthropic(baseUrl: string): ModelPort {
  const provider = createAnthropic({ apiKey: 'k', baseURL: `${baseUrl}/v1` })
  return createAiSdkModel({
    providerId: 'anthropic',
    vendor: 'anthropic',
    modelOf: (modelId) => provider(modelId),
    ids: countingIds(),
    cacheMark: (ttl) => ({ anthropic: { cacheControl: { type: 'ephemeral', ttl } } }),
    optionsOf: () => ({}),
  })
}

function openChat(baseUrl: string): ModelPort {
  const provider = createOpenAI({ apiKey: 'k', baseURL: `${baseUrl}/v1` })
  return createAiSdkModel({
    providerId: 'openai',
    vendor: 'openai',
    modelOf: (modelId) => provider.chat(modelId),
    ids: countingIds(),
    cacheMark: null,
    optionsOf: () => ({}),
  })
}

describeModelPort('ai-sdk with Anthropic', { speaksItself: false, wire: ANTHROPIC_WIRE, open: openAnthropic })
describeModelPort('ai-sdk with OpenAI', {
  speaksItself: false,
  // The package passes over thinking in this format, and joins calls of one id.
  wire: { ...CHAT_WIRE, hasThinking: false, idsMayRepeat: false },
  open: openChat,
})
