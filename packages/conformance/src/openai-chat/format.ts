import type { Format } from '../format.ts'
import { isRecord, textOf } from '../json.ts'
import { createSseWire } from '../wire.ts'
import { checkOpenaiChat } from './check.ts'
import { chatBody, chatFrames } from './frames.ts'
import { chatMessagesOf, chatSegments } from './messages.ts'
import { errorOf, openaiError } from './refuse.ts'

/** OpenAI Chat Completions, and the servers that speak it. */
export const openaiChatFormat: Format = {
  name: 'openai-chat',
  wire: createSseWire({ ping: ': keep-alive\n\n', lineEnd: '\n', headers: { 'x-request-id': 'req_strict' } }),
  check: checkOpenaiChat,
  segments: chatSegments,
  cacheSettings: () => '',
  cacheKey: (body) => textOf(body.prompt_cache_key),
  signer: () => () => undefined,
  callIds: (body) => chatMessagesOf(body).flatMap(({ calls }) => calls.map(({ id }) => id)),
  ids: { answer: 'chatcmpl-', call: 'call_', length: 24 },
  wantsUsage: ({ stream_options: options }) => isRecord(options) && options.include_usage === true,
  frames: chatFrames,
  body: chatBody,
  error: openaiError,
  errorFrame: (meaning) => ({ event: '', data: JSON.stringify(errorOf(meaning)), part: 'between' }),
  counted: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
}
