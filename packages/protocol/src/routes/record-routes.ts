import { Json } from '@holdfast/conversation'
import * as z from 'zod'
import { UsageAnswer, UsageGroup } from '../answers/ledger-answer.ts'
import { ToolMetricsRow } from '../answers/tools-answer.ts'
import type { Route } from '../parts/route.ts'
import { conversation, limitUpTo, nothing } from '../parts/route-parts.ts'
import { ComposerContent, OutsideId, SentContent } from '../parts/sent-content.ts'

/** The unsent text of one conversation and user. `version` grows with every change; 0 stands for none. */
export const Composer = z.object({ content: ComposerContent, version: z.int().nonnegative() })
export type Composer = z.infer<typeof Composer>

/** A file that was uploaded. */
export const Attachment = z.object({
  id: z.string(),
  name: z.string(),
  mediaType: z.string(),
  sizeBytes: z.int().nonnegative(),
  /** How it may be sent. */
  type: z.enum(['file', 'image']),
})
export type Attachment = z.infer<typeof Attachment>

const time = z.coerce.number().int().nonnegative()

/** The routes about what belongs to a user: records, usage, search. */
export const recordRoutes = {
  readUsage: {
    method: 'GET',
    path: '/usage',
    access: 'user',
    params: nothing,
    query: z.object({
      by: UsageGroup.default('day'),
      /** From this time on, in milliseconds since the Unix epoch. */
      from: time.exactOptional(),
      /** Before this time. */
      to: time.exactOptional(),
    }),
    body: nothing,
    answers: { 200: UsageAnswer },
  },
  readToolMetrics: {
    method: 'GET',
    path: '/tools/metrics',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ tools: z.array(ToolMetricsRow) }) },
  },
  search: {
    method: 'GET',
    path: '/search',
    access: 'user',
    params: nothing,
    query: z.object({ q: z.string().min(1).max(1_000), limit: limitUpTo(200, 50) }),
    body: nothing,
    answers: {
      200: z.object({
        hits: z.array(
          z.object({
            conversationId: z.string(),
            title: z.string().nullable(),
            seq: z.int().positive(),
            at: z.int().nonnegative(),
            snippet: z.string(),
            /** Where the found words stand in the snippet, in UTF-16 code units. */
            highlights: z.array(z.object({ from: z.int().nonnegative(), to: z.int().nonnegative() })),
          }),
        ),
      }),
    },
  },
  readComposer: {
    method: 'GET',
    path: '/conversations/:id/composer',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: nothing,
    answers: { 200: Composer },
  },
  writeComposer: {
    method: 'PUT',
    path: '/conversations/:id/composer',
    access: 'owner',
    params: conversation,
    query: nothing,
    /** `version`: the one that was read; another that was written since is not overwritten. */
    body: z.strictObject({ content: ComposerContent, version: z.int().nonnegative() }),
    answers: { 200: Composer },
  },
  appendToComposer: {
    method: 'POST',
    path: '/conversations/:id/composer/append',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: z.strictObject({ content: SentContent }),
    answers: { 200: Composer },
  },
  readMark: {
    method: 'GET',
    path: '/conversations/:id/read',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ seq: z.int().nonnegative() }) },
  },
  markRead: {
    method: 'PUT',
    path: '/conversations/:id/read',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: z.strictObject({ seq: z.int().nonnegative() }),
    answers: { 200: z.object({ seq: z.int().nonnegative() }) },
  },
  upload: {
    method: 'POST',
    path: '/attachments',
    access: 'user',
    takes: 'multipart/form-data',
    params: nothing,
    /** What the file is called; absent: as the form says, in which a browser writes quotes and line breaks in another way. */
    query: z.object({ name: z.string().min(1).max(1_000).exactOptional() }),
    body: nothing,
    answers: { 201: Attachment },
  },
  download: {
    method: 'GET',
    path: '/attachments/:attachmentId',
    access: 'record',
    gives: 'application/octet-stream',
    params: z.object({ attachmentId: OutsideId }),
    query: nothing,
    body: nothing,
    answers: { 200: nothing },
  },
  readAttachmentTokens: {
    method: 'GET',
    path: '/attachments/:attachmentId/tokens',
    access: 'record',
    params: z.object({ attachmentId: OutsideId }),
    /** The model that it would go to; absent: one that is not known. */
    query: z.object({ modelId: OutsideId.exactOptional() }),
    body: nothing,
    /** About what it takes of a request. */
    answers: { 200: z.object({ tokens: z.int().nonnegative() }) },
  },
  readOpenApi: {
    method: 'GET',
    path: '/openapi.json',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: Json },
  },
  readApiPage: {
    method: 'GET',
    path: '/docs/api',
    // A browser that goes to a page brings no key of that page; it says what this version of Holdfast can do, and nothing of anybody.
    access: 'anyone',
    gives: 'text/html',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: nothing },
  },
} as const satisfies Readonly<Record<string, Route>>
