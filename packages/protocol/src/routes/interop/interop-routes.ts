import * as z from 'zod'
import type { Route } from '../../parts/route.ts'
import { conversation, nothing } from '../../parts/route-parts.ts'
import { MAX_TEXT_LENGTH, OutsideId } from '../../parts/sent-content.ts'

/** One part of a message as clients of the AI SDK keep it. Kinds that are not listed are not looked at. */
const UiPart = z.looseObject({
  type: z.string(),
  text: z.string().max(MAX_TEXT_LENGTH).exactOptional(),
  url: z.string().exactOptional(),
  mediaType: z.string().exactOptional(),
  filename: z.string().exactOptional(),
  toolCallId: z.string().exactOptional(),
  state: z.string().exactOptional(),
  approval: z
    .looseObject({ id: z.string(), approved: z.boolean().optional(), reason: z.string().optional() })
    .exactOptional(),
})

/** A message as clients of the AI SDK keep it. */
export const UiMessage = z.looseObject({
  id: OutsideId,
  role: z.enum(['system', 'user', 'assistant']),
  parts: z.array(UiPart),
})
export type UiMessage = z.infer<typeof UiMessage>

/** What `useChat` sends. Of its messages only the last is read: the log is the history. */
export const AiSdkChatRequest = z.looseObject({
  /** The id of the conversation; made when there is none. */
  id: OutsideId,
  messages: z.array(z.unknown()).max(100_000),
  trigger: z.enum(['submit-message', 'regenerate-message']).default('submit-message'),
  /** The message that is sent in another form, or answered again. */
  messageId: z.string().max(200).nullish(),
  /** For a conversation that is made: its model. */
  modelId: OutsideId.exactOptional(),
})
export type AiSdkChatRequest = z.infer<typeof AiSdkChatRequest>

/** Routes for clients that speak another protocol: metrics in the text format of Prometheus, MCP, chats of the AI SDK. */
export const interopRoutes = {
  readMetrics: {
    method: 'GET',
    path: '/metrics',
    access: 'admin',
    gives: 'text/plain',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.string() },
  },
  /** A message of MCP over streamable HTTP. A tool needs what the route needs that it stands for. */
  serveMcp: {
    method: 'POST',
    path: '/interop/mcp',
    access: 'user',
    scope: 'read',
    params: nothing,
    query: nothing,
    body: z.json(),
    answers: { 200: nothing, 202: nothing },
  },
  listenMcp: {
    method: 'GET',
    path: '/interop/mcp',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 405: nothing },
  },
  endMcp: {
    method: 'DELETE',
    path: '/interop/mcp',
    access: 'user',
    scope: 'read',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 405: nothing },
  },
  chatOfAiSdk: {
    method: 'POST',
    path: '/interop/ai-sdk/chat',
    access: 'user',
    gives: 'text/event-stream',
    params: nothing,
    query: nothing,
    body: AiSdkChatRequest,
    answers: { 200: nothing },
  },
  resumeChatOfAiSdk: {
    method: 'GET',
    path: '/interop/ai-sdk/chat/:id/stream',
    access: 'user',
    gives: 'text/event-stream',
    params: conversation,
    query: nothing,
    body: nothing,
    answers: { 200: nothing, 204: nothing },
  },
  stopChatOfAiSdk: {
    method: 'POST',
    path: '/interop/ai-sdk/chat/:id/stop',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: z.unknown(),
    answers: { 200: z.object({ runId: z.string().nullable(), accepted: z.boolean() }) },
  },
} as const satisfies Readonly<Record<string, Route>>
