import { HTTP_LIMITS, type ModelPort } from '@holdfast/provider'
import { createAnthropicModel } from '@holdfast/provider/anthropic'
import { type ChatTraits, createChatModel, PLAIN_CHAT } from '@holdfast/provider/openai-chat'

/** Ids that count. */
export function countingIds(): { next(prefix: string): string } {
  let count = 0
  return {
    next(prefix) {
      count += 1
      return `${prefix}_${count}`
    },
  }
}

/** The Anthropic adapter as the tests use it. */
export function openAnthropic(baseUrl: string): ModelPort {
  return createAnthropicModel({
    providerId: 'anthropic',
    baseUrl,
    apiKey: 'test-key',
    headers: {},
    limits: HTTP_LIMITS,
    ids: countingIds(),
    defaultMaxOutputTokens: () => 4_096,
  })
}

/** The Chat Completions adapter as the tests use it. */
export function openChat(baseUrl: string, traits: Partial<ChatTraits> = {}): ModelPort {
  return createChatModel({
    providerId: 'openai',
    vendor: 'openai',
    baseUrl,
    apiKey: null,
    headers: {},
    limits: HTTP_LIMITS,
    ids: countingIds(),
    traitsOf: () => ({ ...PLAIN_CHAT, ...traits }),
  })
}
