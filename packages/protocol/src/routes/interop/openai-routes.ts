import * as z from 'zod'
import type { Route } from '../../parts/route.ts'
import { nothing, seqText } from '../../parts/route-parts.ts'
import { MAX_TEXT_LENGTH, OutsideId } from '../../parts/sent-content.ts'

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

/** The most that the whole of one text holds, in UTF-16 code units: results of tools may be long. */
const LONG_TEXT = 10_000_000

/** A part of a message or of a result as clients of Responses send it. */
export const ResponsePart = z.looseObject({
  type: z.string().max(100),
  text: z.string().max(LONG_TEXT).nullish(),
  /** A data URL, or the address of an attachment here. */
  image_url: z.string().max(40_000_000).nullish(),
})
export type ResponsePart = z.infer<typeof ResponsePart>

const parts = z.union([z.string().max(LONG_TEXT), z.array(ResponsePart).max(1_000)])

/** An item of the input: a message, a call that was told before, or what came of one. */
export const ResponseInput = z.looseObject({
  type: z.string().max(100).nullish(),
  id: z.string().max(2_000).nullish(),
  role: z.enum(['user', 'assistant', 'system', 'developer']).nullish(),
  content: parts.nullish(),
  call_id: z.string().max(2_000).nullish(),
  output: parts.nullish(),
})
export type ResponseInput = z.infer<typeof ResponseInput>

/** A tool that a client offers, or wants of the server. */
export const ResponseTool = z.looseObject({
  type: z.string().max(100),
  name: OutsideId.nullish(),
  description: z.string().max(100_000).nullish(),
  parameters: z.json().nullish(),
})
export type ResponseTool = z.infer<typeof ResponseTool>

/** What is asked for with `POST /responses`. */
export const ResponseRequest = z.looseObject({
  model: OutsideId,
  input: z.union([z.string().min(1).max(LONG_TEXT), z.array(ResponseInput).max(100_000)]),
  instructions: z.string().max(LONG_TEXT).nullish(),
  previous_response_id: z.string().max(2_000).nullish(),
  /** The conversation here that it belongs to; made when there is none. */
  conversation: z.union([OutsideId, z.looseObject({ id: OutsideId })]).nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  background: z.boolean().nullish(),
  tools: z.array(ResponseTool).max(1_000).nullish(),
  tool_choice: z.json().nullish(),
  metadata: z.record(z.string(), z.string().max(512)).nullish(),
})
export type ResponseRequest = z.infer<typeof ResponseRequest>

/** An answer, whole or as far as it is. */
export const ResponseObject = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
  output: z.array(z.looseObject({ type: z.string() })),
})
export type ResponseObject = z.infer<typeof ResponseObject>

const response = z.object({ responseId: z.string().min(1).max(2_000) })

/** Those of Responses, as Open Responses has them. */
const responsesRoutes = {
  /** With `stream: true` the answer is an event stream. A client that leaves stops nothing. */
  respondOfOpenAi: {
    method: 'POST',
    path: '/interop/openai/v1/responses',
    access: 'user',
    params: nothing,
    query: nothing,
    body: ResponseRequest,
    answers: { 200: ResponseObject },
  },
  /** With `stream=true` its events are told from the start, or after `starting_after`. */
  readResponseOfOpenAi: {
    method: 'GET',
    path: '/interop/openai/v1/responses/:responseId',
    access: 'user',
    params: response,
    query: z.object({ stream: z.enum(['true', 'false']).exactOptional(), starting_after: seqText.exactOptional() }),
    body: nothing,
    answers: { 200: ResponseObject },
  },
  cancelResponseOfOpenAi: {
    method: 'POST',
    path: '/interop/openai/v1/responses/:responseId/cancel',
    access: 'user',
    params: response,
    query: nothing,
    body: nothing,
    answers: { 200: ResponseObject },
  },
} as const satisfies Readonly<Record<string, Route>>

/** Routes for clients of OpenAI's chat completions and Responses; `http://HOST/api/v1/interop/openai/v1` is their base URL. */
export const openAiRoutes = {
  ...responsesRoutes,
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
