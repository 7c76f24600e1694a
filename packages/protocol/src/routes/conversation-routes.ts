import * as z from 'zod'
import { LedgerAnswer } from '../answers/ledger-answer.ts'
import { ToolMode, ToolsAnswer } from '../answers/tools-answer.ts'
import type { Route } from '../parts/route.ts'
import { conversation, limitUpTo, nothing, seqText } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

/** The routes about one conversation as a whole. */
export const conversationRoutes = {
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
