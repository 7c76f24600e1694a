/** The wire formats, one name each. */
export type FormatName =
  | 'anthropic'
  | 'openai-chat'
  | 'openai-responses'
  | 'gemini'
  | 'bedrock-converse'
  | 'bedrock-claude'

/** All formats. */
export const FORMATS: readonly FormatName[] = [
  'anthropic',
  'openai-chat',
  'openai-responses',
  'gemini',
  'bedrock-converse',
  'bedrock-claude',
]
