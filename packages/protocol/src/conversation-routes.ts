import * as z from 'zod'
import { bareFields } from './commands.ts'
import {
  changeConversationFields,
  eraseFields,
  forkFields,
  rewindFields,
  selectPathFields,
} from './conversation-commands.ts'
import { ConversationRow } from './conversation-row.ts'
import { LedgerAnswer } from './ledger-answer.ts'
import type { Route } from './route.ts'
import { conversation, done, limitUpTo, nothing, seqText } from './route-parts.ts'
import { OutsideId } from './sent-content.ts'
import { ToolMode, ToolsAnswer } from './tools-answer.ts'

/** What is said of what cannot be reached: copies that were made before. [LOG9] */
const backups = z.string()

/** What was remembered from it and is still: `DELETE /memories?conversationId=` forgets that as well. [LOG9] */
const memoryIds = z.array(z.string())

/** The routes about one conversation as a whole. */
export const conversationRoutes = {
  changeConversation: {
    method: 'PATCH',
    path: '/conversations/:id',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: z
      .strictObject(changeConversationFields)
      .refine((body) => body.title !== undefined || body.archived !== undefined || body.settings !== undefined, {
        error: 'asks for nothing; give title, archived or settings',
      }),
    answers: { 200: ConversationRow },
  },
  deleteConversation: {
    method: 'DELETE',
    path: '/conversations/:id',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ conversationId: z.string(), kept: z.string(), backups, memoryIds }) },
  },
  eraseEntries: {
    method: 'POST',
    path: '/conversations/:id/erase',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: z.strictObject(eraseFields),
    answers: {
      200: z.object({
        conversationId: z.string(),
        /** Every entry that is erased, named or a copy, in the order of the log. */
        seqs: z.array(z.int().positive()),
        /** How many of them there are of each kind. */
        kinds: z.record(z.string(), z.int().positive()),
        /** Files and long results that they name; one that nothing else names is deleted. */
        fileCount: z.int().nonnegative(),
        isErased: z.boolean(),
        backups,
        memoryIds,
      }),
    },
  },
  rewind: {
    method: 'POST',
    path: '/conversations/:id/rewind',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: z.strictObject(rewindFields),
    answers: { 200: z.object({ seq: z.int().positive(), inputId: z.string().nullable() }) },
  },
  selectPath: {
    method: 'POST',
    path: '/conversations/:id/select-path',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: z.strictObject(selectPathFields),
    answers: { 200: done },
  },
  fork: {
    method: 'POST',
    path: '/conversations/:id/fork',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: z.strictObject(forkFields),
    answers: { 201: ConversationRow },
  },
  reset: {
    method: 'POST',
    path: '/conversations/:id/reset',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: z.strictObject(bareFields),
    answers: { 201: ConversationRow },
  },
  readLedger: {
    method: 'GET',
    path: '/conversations/:id/ledger',
    access: 'owner',
    params: conversation,
    query: z.object({
      /** `next` of the page before. */
      before: seqText.exactOptional(),
      limit: limitUpTo(500, 100),
    }),
    body: nothing,
    answers: { 200: LedgerAnswer },
  },
  listTools: {
    method: 'GET',
    path: '/conversations/:id/tools',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: nothing,
    answers: { 200: ToolsAnswer },
  },
  listToolsOfNew: {
    method: 'GET',
    path: '/tools',
    access: 'user',
    params: nothing,
    /** What would be chosen for the conversation that nobody has begun. */
    query: z.object({ modelId: OutsideId.exactOptional(), agentId: OutsideId.exactOptional() }),
    body: nothing,
    answers: { 200: ToolsAnswer },
  },
  chooseTools: {
    method: 'PATCH',
    path: '/conversations/:id/tools',
    access: 'owner',
    scope: 'tools',
    params: conversation,
    query: nothing,
    body: z.strictObject({
      commandId: OutsideId,
      mode: ToolMode,
      /** Names of the tools that are on in mode `manual`. */
      included: z.array(OutsideId).max(2_000).exactOptional(),
      /** Sources that are off in this conversation, whatever the mode. */
      excludedSources: z.array(OutsideId).max(200).exactOptional(),
    }),
    answers: { 200: ToolsAnswer },
  },
} as const satisfies Readonly<Record<string, Route>>
