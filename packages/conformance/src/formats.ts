import { anthropicFormat } from './anthropic/format.ts'
import { bedrockClaudeFormat } from './bedrock/claude-format.ts'
import { converseFormat } from './bedrock/format.ts'
import type { Format } from './format.ts'
import type { FormatName } from './format-name.ts'
import { geminiFormat } from './gemini/format.ts'
import { openaiChatFormat } from './openai-chat/format.ts'
import { openaiResponsesFormat } from './openai-responses/format.ts'

/** Every format by its name. */
export const FORMAT_OF: Readonly<Record<FormatName, Format>> = {
  anthropic: anthropicFormat,
  'openai-chat': openaiChatFormat,
  'openai-responses': openaiResponsesFormat,
  gemini: geminiFormat,
  'bedrock-converse': converseFormat,
  'bedrock-claude': bedrockClaudeFormat,
}
