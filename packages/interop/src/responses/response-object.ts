import type { Json } from '@holdfast/conversation'
import type { ResponseRequest } from '@holdfast/protocol'
import type { ResponseState } from './response-events.ts'

/** What an answer says of itself beside how it is. */
export interface ResponseHead {
  readonly id: string
  readonly conversationId: string
  /** Seconds since the Unix epoch. */
  readonly createdAt: number
  readonly modelId: string
  /** What was asked; null for an answer that is asked for later: the log has what matters of it. */
  readonly body: ResponseRequest | null
  readonly now: () => number
}

/** An answer with all the fields that clients look for. What is not looked at here has the value that leaves it so. */
export function toResponseObject(head: ResponseHead, state: ResponseState) {
  const { id, conversationId, createdAt, modelId, body, now } = head
  const { status, output, usage, reason } = state
  const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = usage
  const isOver = status !== 'in_progress'
  return {
    id,
    object: 'response' as const,
    created_at: createdAt,
    completed_at: isOver ? now() : null,
    status,
    background: body?.background === true,
    conversation: { id: conversationId },
    error: status === 'failed' ? { code: 'server_error', message: reason ?? 'The turn failed' } : null,
    incomplete_details: status === 'incomplete' ? { reason } : null,
    instructions: body?.instructions ?? null,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: { ...body?.metadata },
    model: state.modelId ?? modelId,
    output: [...output],
    parallel_tool_calls: true,
    previous_response_id: body?.previous_response_id ?? null,
    prompt_cache_key: null,
    reasoning: { effort: null, summary: null },
    safety_identifier: null,
    service_tier: 'default',
    store: body?.store !== false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: body?.tool_choice ?? 'auto',
    tools: (body?.tools ?? []).map(toTool),
    top_logprobs: 0,
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    truncation: 'disabled',
    usage: isOver
      ? {
          input_tokens: inputTokens,
          input_tokens_details: { cached_tokens: cachedInputTokens },
          output_tokens: outputTokens,
          output_tokens_details: { reasoning_tokens: reasoningTokens },
          total_tokens: inputTokens + outputTokens,
        }
      : null,
    user: null,
  }
}

function toTool({ type, name, description, parameters }: NonNullable<ResponseRequest['tools']>[number]): Json {
  if (name == null) return { type }
  const about = { type, name, description: description ?? null }
  return type === 'function' ? { ...about, parameters: parameters ?? null, strict: null } : about
}
