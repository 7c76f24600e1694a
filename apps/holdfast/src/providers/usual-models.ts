import type { ProviderSetup } from './provider-setup.ts'

/**
 * Models of a provider that does not list its own, or has not yet; the first one that there is answers where nothing is
 * chosen. The catalog knows the window and the price of each.
 */
export const USUAL_MODELS: Readonly<Record<ProviderSetup['type'], readonly string[]>> = {
  anthropic: ['claude-sonnet-5', 'claude-opus-5-5', 'claude-haiku-4-5'],
  'openai-responses': ['gpt-5.5', 'gpt-5.4-mini', 'gpt-5.4-nano'],
  'openai-chat': [],
  google: ['gemini-3.1-pro-preview', 'gemini-3.8-flash', 'gemini-3.5-flash-lite'],
  bedrock: [
    'global.anthropic.claude-sonnet-5-v1:0',
    'global.anthropic.claude-opus-5-5',
    'global.anthropic.claude-haiku-4-5-20251001-v1:0',
  ],
}

/** What lists of models hold besides models that one can talk to. */
const NO_CHAT = /embed|whisper|tts|audio|realtime|transcribe|image|moderation|dall-e|sora|live|rerank|davinci|babbage/i

/** Whether a listed model is one to talk to, by its name: lists do not say. */
export function isChatModel(modelId: string): boolean {
  return !NO_CHAT.test(modelId)
}
