import type { ChatTraits } from './chat-traits.ts'

/**
 * What models want wherever they are served, by their names. A server that speaks for many models, OpenRouter say,
 * has its own way of sending thinking again, and keeps it.
 *
 * Mistral's templates: https://docs.mistral.ai/capabilities/function_calling
 * DeepSeek's thinking: https://api-docs.deepseek.com/guides/thinking_mode#tool-calls
 * Kimi's thinking: https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model#multi-step-tool-call
 */
const FAMILIES: readonly (readonly [RegExp, Partial<ChatTraits>])[] = [
  [/(mis|mini|magis|codes|devs)tral|mixtral|pixtral/, { shortCallIds: true, answersBeforeUser: true }],
  [/deepseek|kimi/, { reasoningReplay: 'reasoning_content', reasoningBesideCalls: true }],
]

/** The traits of one model at a server with these. */
export function traitsOfModel(server: ChatTraits, modelId: string): ChatTraits {
  const name = modelId.toLowerCase()
  const family = FAMILIES.find(([names]) => names.test(name))?.[1] ?? {}
  return server.reasoningReplay === null
    ? { ...server, ...family }
    : { ...server, ...family, reasoningReplay: server.reasoningReplay, reasoningBesideCalls: false }
}
