import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'
import { MAX_TEXT_LENGTH, OutsideId } from '../parts/sent-content.ts'

/** One message as clients of chat completions send it. */
export const OpenAiMessage = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z
    .union([
      z.string().max(MAX_TEXT_LENGTH),
      z.array(z.looseObject({ type: z.string(), text: z.string().max(MAX_TEXT_LENGTH).exactOptional() })),
    ])
    .nullish(),
})
export type OpenAiMessage = z.infer<typeof OpenAiMessage>

/** What is asked for with `POST /chat/completions`. */
export const OpenAiChatRequest = z.looseObject({
  model: OutsideId,
  messages: z.array(OpenAiMessage).min(1).max(100_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().exactOptional() }).nullish(),
  /** `conversation_id` names a conversation here; it is made when there is none. */
  metadata: z.record(z.string(), z.string().max(512)).nullish(),
})
export type OpenAiChatRequest = z.infer<typeof OpenAiChatRequest>

/** Tokens of a turn, all its requests together; `measured` is false when any of it was estimated. */
export const OpenAiUsage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int() }),
  completion_tokens_details: z.object({ reasoning_tokens: z.int() }),
  measured: z.boolean(),
})
export type OpenAiUsage = z.infer<typeof OpenAiUsage>

const FinishReason = z.enum(['stop', 'length', 'content_filter'])

/** Routes for clients of OpenAI's chat completions; `http://HOST/api/v1/interop/openai/v1` is their base URL. */
export const openAiRoutes = {
  listModelsOfOpenAi: {
    method: 'GET',
    path: '/interop/openai/v1/models',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: {
      200: z.object({
        object: z.literal('list'),
        data: z.array(z.object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() })),
      }),
    },
  },
  /** With `stream: true` the answer is an event stream of `chat.completion.chunk`, the last of them `[DONE]`. */
  completeChatOfOpenAi: {
    method: 'POST',
    path: '/interop/openai/v1/chat/completions',
    access: 'user',
    params: nothing,
    query: nothing,
    body: OpenAiChatRequest,
    answers: {
      200: z.object({
        id: z.string(),
        object: z.literal('chat.completion'),
        created: z.int(),
        model: z.string(),
        choices: z.array(
          z.object({
            index: z.literal(0),
            message: z.object({ role: z.literal('assistant'), content: z.string() }),
            finish_reason: FinishReason,
          }),
        ),
        usage: OpenAiUsage,
        /** The conversation that holds it; send it back as `metadata.conversation_id`. */
        conversation_id: z.string(),
      }),
    },
  },
} as const satisfies Readonly<Record<string, Route>>
