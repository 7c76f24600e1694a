import { anthropicFormat } from './anthropic/format.ts'
import type { Format } from './format.ts'
import type { FormatName } from './format-name.ts'
import { openaiChatFormat } from './openai-chat/format.ts'

/** Every format by its name. */
export const FORMAT_OF: Readonly<Record<FormatName, Format>> = {
  anthropic: anthropicFormat,
  'openai-chat': openaiChatFormat,
  'openai-responses': openaiChatFormat,
  gemini: openaiChatFormat,
  'bedrock-converse': anthropicFormat,
  'bedrock-claude': anthropicFormat,
}
