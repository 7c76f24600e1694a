import { MAX_PAGE_ENTRIES } from '@holdfast/conversation'
import * as z from 'zod'
import { ConversationRow } from '../answers/conversation-row.ts'
import { ModelsAnswer } from '../answers/models-answer.ts'
import { ConversationPermissionRule, PermissionRequest } from '../answers/permission-request.ts'
import { TranscriptAnswerItem } from '../answers/transcript-answer.ts'
import { commandRoutes } from '../commands/command-table.ts'
import { externalAgentRoutes } from '../external/external-agent-routes.ts'
import { WireEntry } from '../frames/server-frames.ts'
import type { Route } from '../parts/route.ts'
import { conversation, limitUpTo, nothing, seqText } from '../parts/route-parts.ts'
import { voiceRoutes } from '../voice/voice-routes.ts'
import { accountRoutes } from './account-routes.ts'
import { administrationRoutes } from './administration-routes.ts'
import { agentRoutes } from './agent-routes.ts'
import { archiveRoutes } from './archive-routes.ts'
import { canvasRoutes } from './canvas-routes.ts'
import { contextRoutes } from './context-routes.ts'
import { conversationRoutes } from './conversation-routes.ts'
import { doorRoutes } from './door-routes.ts'
import { fileRoutes } from './file-routes.ts'
import { mcpRoutes } from './mcp-routes.ts'
import { memoryRoutes } from './memory-routes.ts'
import { permissionRuleRoutes } from './permission-rule-routes.ts'
import { presetRoutes } from './preset-routes.ts'
import { previewRoutes } from './preview-routes.ts'
import { providerRoutes } from './provider-routes.ts'
import { pushRoutes } from './push-routes.ts'
import { questionRoutes } from './question-routes.ts'
import { recordRoutes } from './record-routes.ts'
import { replicaRoutes } from './replica-routes.ts'
import { scheduleRoutes } from './schedule-routes.ts'
import { settingRoutes } from './setting-routes.ts'
import { terminalRoutes } from './terminal-routes.ts'
import { workspaceFileRoutes } from './workspace-file-routes.ts'
import { workspaceRoutes } from './workspace-routes.ts'
import { worktreeRoutes } from './worktree-routes.ts'

/** Where the routes begin. */
export const API_PATH = '/api/v1'

/** Where the socket is. */
export const SOCKET_PATH = `${API_PATH}/socket`

/** The routes that clients of Holdfast itself ask. A page that imports them alone holds no schema of other protocols. */
export const ownRoutes = {
  ...commandRoutes,
  ...canvasRoutes,
  ...contextRoutes,
  ...fileRoutes,
  ...terminalRoutes,
  ...workspaceRoutes,
  ...workspaceFileRoutes,
  ...worktreeRoutes,
  ...scheduleRoutes,
  ...pushRoutes,
  ...voiceRoutes,
  ...externalAgentRoutes,
  ...previewRoutes,
  health: {
    method: 'GET',
    path: '/health',
    access: 'anyone',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ status: z.literal('ok'), version: z.string(), store: z.enum(['ok', 'failing']) }) },
  },
  ready: {
    method: 'GET',
    path: '/ready',
    access: 'anyone',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ status: z.literal('ready'), version: z.string(), store: z.enum(['ok', 'failing']) }) },
  },
  listModels: {
    method: 'GET',
    path: '/models',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: ModelsAnswer },
  },
  listConversations: {
    method: 'GET',
    path: '/conversations',
    access: 'user',
    params: nothing,
    query: z.object({
      /** `next` of the page before. */
      before: z.string().max(300).exactOptional(),
      limit: limitUpTo(200, 50),
      /** The archived ones instead of the current ones. */
      archived: z.stringbool().default(false),
    }),
    body: nothing,
    answers: { 200: z.object({ conversations: z.array(ConversationRow), next: z.string().nullable() }) },
  },
  readConversation: {
    method: 'GET',
    path: '/conversations/:id',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: nothing,
    answers: { 200: ConversationRow },
  },
  listPermissions: {
    method: 'GET',
    path: '/conversations/:id/permissions',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ requests: z.array(PermissionRequest), rules: z.array(ConversationPermissionRule) }) },
  },
  readEntries: {
    method: 'GET',
    path: '/conversations/:id/entries',
    access: 'owner',
    params: conversation,
    query: z.object({
      after: seqText.exactOptional(),
      before: seqText.exactOptional(),
      limit: limitUpTo(MAX_PAGE_ENTRIES, 200),
      /** `sse`: the answer goes on as an event stream. */
      live: z.literal('sse').exactOptional(),
      /** `kept`: an event stream sends of the open step only what is durable, so that nothing sent is ever taken back. */
      drafts: z.literal('kept').exactOptional(),
    }),
    body: nothing,
    answers: { 200: z.object({ entries: z.array(WireEntry), head: z.int().nonnegative() }) },
  },
  readTranscript: {
    method: 'GET',
    path: '/conversations/:id/transcript',
    access: 'owner',
    params: conversation,
    query: z.object({
      /** `seq` before which the page ends. */
      before: seqText.exactOptional(),
      limit: limitUpTo(500, 100),
    }),
    body: nothing,
    answers: { 200: z.object({ items: z.array(TranscriptAnswerItem), head: z.int().nonnegative() }) },
  },
  ...conversationRoutes,
  ...archiveRoutes,
  ...recordRoutes,
  ...replicaRoutes,
  ...agentRoutes,
  ...presetRoutes,
  ...memoryRoutes,
  ...accountRoutes,
  ...administrationRoutes,
  ...doorRoutes,
  ...providerRoutes,
  ...settingRoutes,
  ...mcpRoutes,
  ...questionRoutes,
  ...permissionRuleRoutes,
} as const satisfies Readonly<Record<string, Route>>
