import * as z from 'zod'
import {
  changeConversationFields,
  forkFields,
  rewindFields,
  SettingsChanges,
  scopeOfSettings,
  selectPathFields,
  Title,
} from './conversation-commands.ts'
import { answerQuestionFields } from './question-routes.ts'
import { OutsideId, SentContent } from './sent-content.ts'
import type { Scope } from './who-may.ts'

/** Where what is sent joins: after the running turn, inside it, or in its place. */
export const SendLane = z.enum(['turn', 'steer', 'interrupt'])
export type SendLane = z.infer<typeof SendLane>

/** What `create-conversation` asks for. */
export const createConversationFields = {
  commandId: OutsideId,
  agentId: OutsideId.exactOptional(),
  modelId: OutsideId.exactOptional(),
  title: Title.exactOptional(),
}

/** What `send-message` asks for, beside the conversation. */
export const sendMessageFields = {
  commandId: OutsideId,
  content: SentContent,
  lane: SendLane.default('turn'),
}

/** What `stop-run` asks for, beside the conversation. Without a run id: what runs. [STOP2] */
export const stopRunFields = {
  commandId: OutsideId,
  runId: OutsideId.exactOptional(),
  force: z.boolean().exactOptional(),
}

/** What `change-input` asks for: what is absent stays. */
export const changeInputFields = {
  commandId: OutsideId,
  content: SentContent.exactOptional(),
  /** Its new place among the waiting inputs, from 0. */
  position: z.int().nonnegative().exactOptional(),
  lane: z.enum(['turn', 'steer']).exactOptional(),
  /** Whether the client that asks is editing it; it is not sent meanwhile. [STOP9] */
  locked: z.boolean().exactOptional(),
}

/** What a command asks for that has nothing beside its id. */
export const bareFields = { commandId: OutsideId }

/** What `answer-permission` asks for, beside the conversation and the request. [PERM3, PERM5] */
export const answerPermissionFields = {
  commandId: OutsideId,
  decision: z.enum(['allow', 'deny']),
  scope: z.enum(['call', 'conversation', 'pattern', 'category', 'always']).default('call'),
  /** For scope `pattern` and `always`: what was agreed to; without it, exactly this call. */
  pattern: z.string().min(1).max(4_096).exactOptional(),
  /** Told to the model with a no. */
  reason: z.string().max(4_096).exactOptional(),
}

/** What `change-settings` asks for; null returns a setting to what the agent or the installation says. */
const changeSettingsFields = {
  commandId: OutsideId,
  settings: SettingsChanges,
}

const command = z.literal('command')
const conversationId = OutsideId

/** The frame of a command: the same commands as over HTTP. */
export const CommandFrame = z.discriminatedUnion('name', [
  z.strictObject({ type: z.literal('command'), name: z.literal('create-conversation'), ...createConversationFields }),
  z.strictObject({
    type: z.literal('command'),
    name: z.literal('send-message'),
    conversationId: OutsideId,
    ...sendMessageFields,
  }),
  z.strictObject({
    type: z.literal('command'),
    name: z.literal('stop-run'),
    conversationId: OutsideId,
    ...stopRunFields,
  }),
  z.strictObject({
    type: command,
    name: z.literal('change-input'),
    conversationId,
    inputId: OutsideId,
    ...changeInputFields,
  }),
  z.strictObject({
    type: command,
    name: z.literal('remove-input'),
    conversationId,
    inputId: OutsideId,
    ...bareFields,
  }),
  z.strictObject({
    type: command,
    name: z.literal('send-input-now'),
    conversationId,
    inputId: OutsideId,
    ...bareFields,
  }),
  z.strictObject({ type: command, name: z.literal('hold-queue'), conversationId, ...bareFields }),
  z.strictObject({ type: command, name: z.literal('release-queue'), conversationId, ...bareFields }),
  z.strictObject({
    type: command,
    name: z.literal('answer-permission'),
    conversationId,
    requestId: OutsideId,
    ...answerPermissionFields,
  }),
  z.strictObject({
    type: command,
    name: z.literal('answer-question'),
    conversationId,
    questionId: OutsideId,
    ...answerQuestionFields,
  }),
  z.strictObject({ type: command, name: z.literal('change-settings'), conversationId, ...changeSettingsFields }),
  z.strictObject({
    type: command,
    name: z.literal('revoke-rule'),
    conversationId,
    ruleId: OutsideId,
    ...bareFields,
  }),
  z.strictObject({
    type: command,
    name: z.literal('pin-message'),
    conversationId,
    /** The message, by its entry. [CHK4] */
    messageSeq: z.int().positive(),
    isPinned: z.boolean(),
    ...bareFields,
  }),
  z.strictObject({
    type: command,
    name: z.literal('exclude-result'),
    conversationId,
    /** The result of a call, by its entry. [TOOL10] */
    resultSeq: z.int().positive(),
    isExcluded: z.boolean(),
    ...bareFields,
  }),
  z.strictObject({ type: command, name: z.literal('rewind'), conversationId, ...rewindFields }),
  z.strictObject({ type: command, name: z.literal('select-path'), conversationId, ...selectPathFields }),
  z.strictObject({ type: command, name: z.literal('fork'), conversationId, ...forkFields }),
  z.strictObject({ type: command, name: z.literal('reset'), conversationId, ...bareFields }),
  z.strictObject({
    type: command,
    name: z.literal('change-conversation'),
    conversationId,
    ...changeConversationFields,
  }),
])
export type CommandFrame = z.infer<typeof CommandFrame>

/** What an API key needs for a new conversation: an agent decides what tools may do. */
export function scopeOfCreation({ agentId }: { readonly agentId?: string }): Scope {
  return scopeOfSettings(agentId === undefined ? {} : { agentId })
}

/** What an API key needs for a command: the same as for its route. */
export function scopeOfCommand(frame: CommandFrame): Scope {
  switch (frame.name) {
    case 'answer-permission':
    case 'answer-question':
    case 'revoke-rule':
      return 'tools'
    case 'change-settings':
    case 'change-conversation':
      return scopeOfSettings(frame.settings)
    case 'create-conversation':
      return scopeOfCreation(frame)
    case 'send-message':
    case 'stop-run':
    case 'change-input':
    case 'remove-input':
    case 'send-input-now':
    case 'hold-queue':
    case 'release-queue':
    case 'pin-message':
    case 'exclude-result':
    case 'rewind':
    case 'select-path':
    case 'fork':
    case 'reset':
      return 'chat'
  }
}
