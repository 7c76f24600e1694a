import type { WireScript, WireUsage } from '@holdfast/provider/testing'

/** One chunk as OpenAI sends it. */
function chatEvent(fields: Readonly<Record<string, unknown>>): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'a-model', ...fields })}\n\n`
}

/** One chunk with a delta. */
function chatDelta(delta: Readonly<Record<string, unknown>>, finishReason: string | null): string {
  return chatEvent({ choices: [{ index: 0, delta, finish_reason: finishReason }] })
}

const REASONS = { end: 'stop', 'tool-calls': 'tool_calls', length: 'length', refused: 'content_filter' } as const

const REFUSALS = {
  auth: [401, 'invalid_api_key', 'Incorrect API key provided'],
  'rate-limit': [429, 'rate_limit_exceeded', 'Request too large on tokens per min (TPM): Limit 30000, Requested 45000'],
  quota: [429, 'insufficient_quota', 'You exceeded your current quota'],
  'too-long': [400, 'context_length_exceeded', "This model's maximum context length is 128000 tokens"],
  network: [504, null, 'Timed out'],
  overloaded: [503, null, 'The engine is currently overloaded'],
  'model-missing': [404, 'model_not_found', 'The model `x` does not exist'],
  refused: [400, 'content_policy_violation', 'Blocked'],
  'bad-request': [400, null, 'Missing required parameter'],
  internal: [500, null, 'The server had an error'],
} as const

function usageOf({ inputTokens, cacheReadTokens, outputTokens }: WireUsage): Readonly<Record<string, unknown>> {
  const promptTokens = inputTokens + cacheReadTokens
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
    completion_tokens_details: { reasoning_tokens: 0 },
  }
}

/** Chat Completions as the suite plays them. */
export const CHAT_WIRE: WireScript = {
  hasEarlyUsage: false,
  hasThinking: true,
  idsMayBeMissing: true,
  idsMayRepeat: true,
  start: () => [chatDelta({ role: 'assistant', content: '' }, null)],
  block(block, index) {
    if (block.type !== 'tool-call') {
      const field = block.type === 'text' ? 'content' : 'reasoning_content'
      return block.pieces.map((piece) => chatDelta({ [field]: piece }, null))
    }
    return [
      chatDelta(
        { tool_calls: [{ index, id: block.callId, type: 'function', function: { name: block.name, arguments: '' } }] },
        null,
      ),
      ...block.pieces.map((piece) => chatDelta({ tool_calls: [{ index, function: { arguments: piece } }] }, null)),
    ]
  },
  end: (finish, usage) => [
    chatDelta({}, REASONS[finish]),
    chatEvent({ choices: [], usage: usageOf(usage) }),
    'data: [DONE]\n\n',
  ],
  overloaded: chatEvent({ error: { message: 'Overloaded', type: 'overloaded_error', code: 503 } }),
  ping: ': OPENROUTER PROCESSING\n\n',
  unknown: {
    events: [
      'event: weather\ndata: {"object":"weather.report"}\n\n',
      chatDelta({ hologram: { depth: 3 }, annotations: [1] }, null),
      chatEvent({ choices: [], x_future: true }),
    ],
    indexes: 0,
  },
  refusal(code) {
    const [status, name, message] = REFUSALS[code]
    return { status, bodyText: JSON.stringify({ error: { message, type: 'some_error', param: null, code: name } }) }
  },
}
