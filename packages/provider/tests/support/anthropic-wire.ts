import type { WireScript } from '@holdfast/provider/testing'

/** One event as Anthropic sends it. */
export function anthropicEvent(value: Readonly<Record<string, unknown>>): string {
  return `event: ${String(value.type)}\ndata: ${JSON.stringify(value)}\n\n`
}

const STOP_REASONS = { end: 'end_turn', 'tool-calls': 'tool_use', length: 'max_tokens', refused: 'refusal' } as const

const REFUSALS = {
  auth: [401, 'authentication_error', 'invalid x-api-key'],
  'rate-limit': [429, 'rate_limit_error', 'This request would exceed your rate limit of input tokens per minute'],
  quota: [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API'],
  'too-long': [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'],
  network: [504, 'timeout_error', 'Timed out'],
  overloaded: [529, 'overloaded_error', 'Overloaded'],
  'model-missing': [404, 'not_found_error', 'model: x'],
  refused: [400, 'invalid_request_error', 'Output blocked by content filtering policy'],
  'bad-request': [400, 'invalid_request_error', 'messages: roles must alternate'],
  internal: [500, 'api_error', 'Internal server error'],
} as const

/** Anthropic's Messages as the suite plays them. */
export const ANTHROPIC_WIRE: WireScript = {
  hasEarlyUsage: true,
  hasThinking: true,
  idsMayBeMissing: true,
  idsMayRepeat: true,
  start: ({ inputTokens, cacheReadTokens }) => [
    anthropicEvent({
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'a-model',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: inputTokens, cache_read_input_tokens: cacheReadTokens, output_tokens: 1 },
      },
    }),
  ],
  block(block, index) {
    const start =
      block.type === 'tool-call'
        ? { type: 'tool_use', id: block.callId, name: block.name, input: {} }
        : block.type === 'text'
          ? { type: 'text', text: '' }
          : { type: 'thinking', thinking: '', signature: '' }
    const delta = (piece: string) =>
      block.type === 'tool-call'
        ? { type: 'input_json_delta', partial_json: piece }
        : block.type === 'text'
          ? { type: 'text_delta', text: piece }
          : { type: 'thinking_delta', thinking: piece }
    const signature = {
      type: 'content_block_delta',
      index,
      delta: { type: 'signature_delta', signature: 'c2lnbmF0dXJl' },
    }
    return [
      anthropicEvent({ type: 'content_block_start', index, content_block: start }),
      ...block.pieces.map((piece) => anthropicEvent({ type: 'content_block_delta', index, delta: delta(piece) })),
      ...(block.type === 'thinking' ? [anthropicEvent(signature)] : []),
      anthropicEvent({ type: 'content_block_stop', index }),
    ]
  },
  end: (finish, { outputTokens }) => [
    anthropicEvent({
      type: 'message_delta',
      delta: { stop_reason: STOP_REASONS[finish], stop_sequence: null },
      usage: { output_tokens: outputTokens },
    }),
    anthropicEvent({ type: 'message_stop' }),
  ],
  overloaded: anthropicEvent({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  ping: anthropicEvent({ type: 'ping' }),
  unknown: {
    events: [
      anthropicEvent({ type: 'weather_report', sunny: true }),
      ': a comment\n\n',
      anthropicEvent({ type: 'content_block_start', index: 0, content_block: { type: 'hologram', depth: 3 } }),
      anthropicEvent({ type: 'content_block_delta', index: 0, delta: { type: 'hologram_delta', light: 'x' } }),
      anthropicEvent({ type: 'content_block_stop', index: 0 }),
    ],
    indexes: 1,
  },
  refusal(code) {
    const [status, type, message] = REFUSALS[code]
    return { status, bodyText: JSON.stringify({ type: 'error', error: { type, message } }) }
  },
}
