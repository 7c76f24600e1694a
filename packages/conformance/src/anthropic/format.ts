import type { Format } from '../format.ts'
import { isRecord, type JsonRecord, textOf } from '../json.ts'
import { createSseWire } from '../wire.ts'
import { createAnthropicSigner } from './binding.ts'
import { anthropicSegments, messagesOf } from './blocks.ts'
import { checkAnthropic } from './check.ts'
import { anthropicBody, anthropicFrames } from './frames.ts'
import { anthropicError, errorOf } from './refuse.ts'

/** Anthropic Messages. */
export const anthropicFormat: Format = {
  name: 'anthropic',
  wire: createSseWire({
    ping: 'event: ping\ndata: {"type": "ping"}\n\n',
    lineEnd: '\n',
    headers: { 'request-id': 'req_strict' },
  }),
  check: checkAnthropic,
  segments: anthropicSegments,
  cacheSettings,
  cacheKey: () => '',
  signer: createAnthropicSigner,
  callIds: (body) =>
    messagesOf(body).flatMap(({ blocks }) =>
      blocks.filter(({ type }) => type === 'tool_use').map(({ value }) => textOf(value.id)),
    ),
  ids: { answer: 'msg_', call: 'toolu_', length: 24 },
  wantsUsage: () => true,
  frames: anthropicFrames,
  body: anthropicBody,
  error: anthropicError,
  errorFrame: (meaning) => ({ event: 'error', data: JSON.stringify(errorOf(meaning)), part: 'between' }),
  counted: (tokens) => ({ input_tokens: tokens }),
}

/** What changes the reading of messages without being one: forced tools, thinking and effort. */
function cacheSettings(body: JsonRecord): string {
  const { tool_choice, thinking, output_config } = body
  const read = isRecord(thinking) ? { type: thinking.type, budget_tokens: thinking.budget_tokens } : null
  return JSON.stringify([tool_choice ?? null, read, output_config ?? null])
}
