import { ChangeTarget, ConversationSettings, Json, WrittenPermissionRule } from '@holdfast/conversation'
import * as z from 'zod'
import { ChangesDecidedAnswer } from '../answers/changes-decided-answer.ts'
import { ConversationRow } from '../answers/conversation-row.ts'
import { DeletionAnswer, ErasureAnswer } from '../answers/erasure-answer.ts'
import { SuggestedPermissionRule } from '../answers/rule-trial-answer.ts'
import { conversation, done, nothing } from '../parts/route-parts.ts'
import { OutsideId, SentContent } from '../parts/sent-content.ts'
import { SettingsChanges, scopeOfSettings } from '../parts/settings-changes.ts'
import type { Scope } from '../parts/who-may.ts'
import { CanvasAction } from './canvas-action.ts'
import { command, commandOfRoute, type ReplyOf, routesOf } from './command.ts'
import {
  answerQuestionFields,
  changeConversationFields,
  editCheckpointFields,
  eraseFields,
  forkFields,
  makeCheckpointFields,
  rewindFields,
  selectPathFields,
  Title,
} from './conversation-commands.ts'

/** Where what is sent joins: after the running turn, inside it, or in its place. */
export const SendLane = z.enum(['turn', 'steer', 'interrupt'])
export type SendLane = z.infer<typeof SendLane>

/** What `create-conversation` asks for. */
const createConversationFields = {
  commandId: OutsideId,
  agentId: OutsideId.exactOptional(),
  modelId: OutsideId.exactOptional(),
  title: Title.exactOptional(),
  /** A preset, below all else that is chosen here. [WS33] */
  presetId: OutsideId.exactOptional(),
  /** As in `settings`. */
  workspaceId: OutsideId.exactOptional(),
  /** `worktree`: one is made for the conversation before it is answered. Absent: in the folder itself. [WS7] */
  place: z.enum(['in-place', 'worktree']).exactOptional(),
  /** What is chosen before the first message. [UI33] */
  settings: z
    .strictObject({
      permissionMode: ConversationSettings.shape.permissionMode,
      thinking: ConversationSettings.shape.thinking,
      workspaceId: ConversationSettings.shape.workspaceId,
      externalMode: ConversationSettings.shape.externalMode,
      externalModel: ConversationSettings.shape.externalModel,
      paidBy: ConversationSettings.shape.paidBy,
    })
    .exactOptional(),
}

/** What `send-message` asks for, beside the conversation. */
const sendMessageFields = {
  commandId: OutsideId,
  content: SentContent,
  lane: SendLane.default('turn'),
  /** The waiting input behind which it was written while the queue went on: there it stays, though the queue is held by now. [STOP9] */
  behind: OutsideId.exactOptional(),
}

/** What `stop-run` asks for, beside the conversation. Without a run id: what runs. [STOP2] */
const stopRunFields = {
  commandId: OutsideId,
  runId: OutsideId.exactOptional(),
  force: z.boolean().exactOptional(),
}

/** What `change-input` asks for: what is absent stays. */
const changeInputFields = {
  commandId: OutsideId,
  content: SentContent.exactOptional(),
  /** Its new place among the waiting inputs, from 0. */
  position: z.int().nonnegative().exactOptional(),
  lane: z.enum(['turn', 'steer']).exactOptional(),
  /** Whether the client that asks is editing it; it is not sent meanwhile. [STOP9] */
  locked: z.boolean().exactOptional(),
}

/** What a command asks for that has nothing beside its id. */
const bareFields = { commandId: OutsideId }

/** What `answer-permission` asks for, beside the conversation and the request. [PERM3, PERM5] */
const answerPermissionFields = {
  commandId: OutsideId,
  /** `unattended` is a no because nobody is there to be asked, and the log and the model are told so. [PERM6] */
  decision: z.enum(['allow', 'deny', 'unattended']),
  scope: z.enum(['call', 'conversation', 'pattern', 'category', 'always']).default('call'),
  /** For scope `pattern` and `always`: what was agreed to; without it, exactly this call. */
  pattern: z.string().min(1).max(4_096).exactOptional(),
  /** Told to the model with a no. */
  reason: z.string().max(4_096).exactOptional(),
}

/** What `decide-changes` asks for, beside the conversation. [WS9] */
const decideChangesFields = {
  commandId: OutsideId,
  /** Which changes, as reading them answers it; without it all of the conversation. */
  target: ChangeTarget.default({ type: 'since', seq: 0 }),
  decisions: z
    .array(
      z.strictObject({
        path: z.string().min(1).max(4_096),
        /** Absent for the whole file. */
        hunkId: OutsideId.exactOptional(),
        /** Places in the lines of the hunk, from 0; absent for all that it changes. */
        lines: z.array(z.int().nonnegative()).min(1).max(100_000).exactOptional(),
        /** False to reject it; null to leave it open again. */
        keep: z.boolean().nullable(),
        /** The id of the file as it was read: a change that is another by now is left alone. */
        seen: OutsideId.exactOptional(),
      }),
    )
    .min(1)
    .max(20_000),
  /** Present to take back as well what changed while a call ran and no tool told. [TOOL15] */
  meanwhile: z.literal(true).exactOptional(),
}

/** What `change-settings` asks for; null returns a setting to what the agent or the installation says. */
const changeSettingsFields = {
  commandId: OutsideId,
  settings: SettingsChanges,
}

/** What `change-canvas` asks for, beside the conversation and the element. [CANVAS6] */
const changeCanvasFields = {
  commandId: OutsideId,
  action: CanvasAction,
  /**
   * `check`: `{itemId, checked}`. `answer`: the id of a choice, or the values of a form by field. `pin`: whether it
   * is pinned. `set-mode`: `{mode, layout?}`. `set-theme`: the theme. Else nothing.
   */
  value: Json.exactOptional(),
  agentId: OutsideId.exactOptional(),
}

const inConversation = { conversationId: OutsideId }
const ofCheckpoint = { conversationId: OutsideId, checkpointSeq: z.int().positive() }
const ofInput = { conversationId: OutsideId, inputId: OutsideId }
const atEntry = z.object({ id: OutsideId, seq: z.coerce.number().int().positive() })
const accepted = z.object({ accepted: z.boolean() })
const begunRun = z.object({ runId: z.string() })
const namedRule = z.object({ ruleId: z.string() })

/** The parameters of an address below a conversation. */
function below<Name extends string>(name: Name) {
  return z.object({ id: OutsideId, [name]: OutsideId })
}

/**
 * The commands, by the name of their routes: what each asks for, the scope that a key needs for it, where it is a route,
 * and whether a socket takes it. What changes a conversation or a person's rules is here and nowhere else. [ARCH22]
 *
 * To add a command: a row here, from which its frame, its route and its line in the OpenAPI description follow; what it
 * does in `server/src/parts/command-handlers.ts` and, where a socket takes it, its answer in `carried.ts`, without which
 * nothing compiles; the engine's function in `commands/` and its line in `commands/create-commands.ts`; and an example in
 * `server/tests/support/command-frames.ts`, or `route-bodies.ts`, with which the tests try who may ask for it.
 */
export const commands = {
  createConversation: command('create-conversation', {
    scope: scopeOfCreation,
    about: {},
    fields: createConversationFields,
    place: { method: 'POST', path: '/conversations', params: nothing, answers: { 201: ConversationRow } },
  }),
  sendInput: command('send-message', {
    scope: 'chat',
    about: inConversation,
    fields: sendMessageFields,
    place: {
      method: 'POST',
      path: '/conversations/:id/inputs',
      params: conversation,
      answers: {
        202: z.object({ seq: z.int().positive(), inputId: z.string(), runId: z.string().exactOptional() }),
      },
    },
  }),
  stop: command('stop-run', {
    scope: 'chat',
    about: inConversation,
    fields: stopRunFields,
    place: {
      method: 'POST',
      path: '/conversations/:id/stop',
      params: conversation,
      answers: {
        202: z.object({ runId: z.string().nullable(), accepted: z.literal(true), settled: z.boolean() }),
        200: z.object({ runId: z.null(), accepted: z.literal(false), settled: z.literal(true) }),
      },
    },
  }),
  changeInput: command('change-input', {
    scope: 'chat',
    about: ofInput,
    fields: changeInputFields,
    place: {
      method: 'PATCH',
      path: '/conversations/:id/inputs/:inputId',
      params: below('inputId'),
      answers: { 200: done },
    },
  }),
  removeInput: command('remove-input', {
    scope: 'chat',
    about: ofInput,
    fields: bareFields,
    place: {
      method: 'DELETE',
      path: '/conversations/:id/inputs/:inputId',
      params: below('inputId'),
      answers: { 200: done },
    },
  }),
  sendInputNow: command('send-input-now', {
    scope: 'chat',
    about: ofInput,
    fields: bareFields,
    place: {
      method: 'POST',
      path: '/conversations/:id/inputs/:inputId/send-now',
      params: below('inputId'),
      answers: { 200: done },
    },
  }),
  holdQueue: command('hold-queue', {
    scope: 'chat',
    about: inConversation,
    fields: bareFields,
    place: { method: 'POST', path: '/conversations/:id/queue/hold', params: conversation, answers: { 200: done } },
  }),
  releaseQueue: command('release-queue', {
    scope: 'chat',
    about: inConversation,
    fields: bareFields,
    place: { method: 'POST', path: '/conversations/:id/queue/release', params: conversation, answers: { 200: done } },
  }),
  answerPermission: command('answer-permission', {
    scope: 'tools',
    about: { conversationId: OutsideId, requestId: OutsideId },
    fields: answerPermissionFields,
    place: {
      method: 'POST',
      path: '/conversations/:id/permissions/:requestId',
      params: below('requestId'),
      answers: { 200: accepted },
    },
  }),
  answerQuestion: command('answer-question', {
    scope: 'tools',
    about: { conversationId: OutsideId, questionId: OutsideId },
    fields: answerQuestionFields,
    place: {
      method: 'POST',
      path: '/conversations/:id/questions/:questionId',
      params: below('questionId'),
      answers: { 200: accepted },
    },
  }),
  /** Over HTTP a part of `changeConversation`. */
  changeSettings: command('change-settings', {
    scope: ({ settings }) => scopeOfSettings(settings),
    about: inConversation,
    fields: changeSettingsFields,
    place: null,
  }),
  revokeRule: command('revoke-rule', {
    scope: 'tools',
    about: { conversationId: OutsideId, ruleId: OutsideId },
    fields: bareFields,
    place: {
      method: 'DELETE',
      path: '/conversations/:id/permission-rules/:ruleId',
      params: below('ruleId'),
      answers: { 200: done },
    },
  }),
  pinMessage: command('pin-message', {
    scope: 'chat',
    /** The message, by its entry. [CHK4] */
    about: { conversationId: OutsideId, messageSeq: z.int().positive() },
    fields: { commandId: OutsideId, isPinned: z.boolean() },
    place: {
      method: 'PUT',
      path: '/conversations/:id/pins/:seq',
      params: atEntry,
      names: { seq: 'messageSeq' },
      answers: { 200: done },
    },
  }),
  switchAutoFix: command('switch-auto-fix', {
    scope: 'tools',
    about: inConversation,
    /** Without a preview: the one that was seen last beside the conversation. [WS4] */
    fields: { commandId: OutsideId, isOn: z.boolean(), previewId: OutsideId.exactOptional() },
    place: {
      method: 'POST',
      path: '/conversations/:id/auto-fix',
      params: conversation,
      answers: { 200: done },
    },
  }),
  excludeResult: command('exclude-result', {
    scope: 'chat',
    /** The result of a call, by its entry: it is left out of later requests, or taken back. [TOOL10] */
    about: { conversationId: OutsideId, resultSeq: z.int().positive() },
    fields: { commandId: OutsideId, isExcluded: z.boolean() },
    place: {
      method: 'PUT',
      path: '/conversations/:id/exclusions/:seq',
      params: atEntry,
      names: { seq: 'resultSeq' },
      answers: { 200: done },
    },
  }),
  rewind: command('rewind', {
    scope: 'chat',
    about: inConversation,
    fields: rewindFields,
    place: {
      method: 'POST',
      path: '/conversations/:id/rewind',
      params: conversation,
      answers: { 200: z.object({ seq: z.int().positive(), inputId: z.string().nullable() }) },
    },
  }),
  selectPath: command('select-path', {
    scope: 'chat',
    about: inConversation,
    fields: selectPathFields,
    place: { method: 'POST', path: '/conversations/:id/select-path', params: conversation, answers: { 200: done } },
  }),
  fork: command('fork', {
    scope: 'chat',
    about: inConversation,
    fields: forkFields,
    place: { method: 'POST', path: '/conversations/:id/fork', params: conversation, answers: { 201: ConversationRow } },
  }),
  reset: command('reset', {
    scope: 'chat',
    about: inConversation,
    fields: bareFields,
    place: {
      method: 'POST',
      path: '/conversations/:id/reset',
      params: conversation,
      answers: { 201: ConversationRow },
    },
  }),
  changeConversation: command('change-conversation', {
    scope: ({ settings }) => scopeOfSettings(settings),
    about: inConversation,
    fields: changeConversationFields,
    oneOf: ['title', 'archived', 'settings'],
    place: {
      method: 'PATCH',
      path: '/conversations/:id',
      params: conversation,
      answers: { 200: ConversationRow },
    },
  }),
  changeCanvas: command('change-canvas', {
    scope: 'chat',
    about: { conversationId: OutsideId, elementId: OutsideId },
    fields: changeCanvasFields,
    place: {
      method: 'POST',
      path: '/conversations/:id/canvas/:elementId',
      params: below('elementId'),
      answers: { 200: z.object({ elementId: z.string().nullable(), version: z.int().positive() }) },
    },
  }),
  makeCheckpoint: commandOfRoute('make-checkpoint', {
    scope: 'chat',
    about: inConversation,
    fields: makeCheckpointFields,
    place: { method: 'POST', path: '/conversations/:id/checkpoint', params: conversation, answers: { 202: begunRun } },
  }),
  editCheckpoint: command('edit-checkpoint', {
    scope: 'chat',
    about: ofCheckpoint,
    fields: editCheckpointFields,
    place: {
      method: 'PATCH',
      path: '/conversations/:id/checkpoint/:seq',
      params: atEntry,
      names: { seq: 'checkpointSeq' },
      answers: { 200: done },
    },
  }),
  undoCheckpoint: command('undo-checkpoint', {
    scope: 'chat',
    about: ofCheckpoint,
    fields: bareFields,
    place: {
      method: 'POST',
      path: '/conversations/:id/checkpoint/:seq/undo',
      params: atEntry,
      names: { seq: 'checkpointSeq' },
      answers: { 200: done },
    },
  }),
  makeTitle: commandOfRoute('make-title', {
    scope: 'chat',
    about: inConversation,
    fields: bareFields,
    place: { method: 'POST', path: '/conversations/:id/title', params: conversation, answers: { 202: begunRun } },
  }),
  decideChanges: commandOfRoute('decide-changes', {
    scope: 'tools',
    about: inConversation,
    fields: decideChangesFields,
    place: {
      method: 'POST',
      path: '/conversations/:id/changes/decide',
      params: conversation,
      answers: { 200: ChangesDecidedAnswer },
    },
  }),
  deleteConversation: commandOfRoute('delete-conversation', {
    scope: 'chat',
    about: inConversation,
    fields: {},
    place: { method: 'DELETE', path: '/conversations/:id', params: conversation, answers: { 200: DeletionAnswer } },
  }),
  eraseEntries: commandOfRoute('erase-entries', {
    scope: 'chat',
    about: inConversation,
    fields: eraseFields,
    place: { method: 'POST', path: '/conversations/:id/erase', params: conversation, answers: { 200: ErasureAnswer } },
  }),
  addConversationRule: command('add-rule', {
    scope: 'tools',
    about: inConversation,
    fields: { commandId: OutsideId, rule: WrittenPermissionRule },
    place: {
      method: 'POST',
      path: '/conversations/:id/permission-rules',
      params: conversation,
      answers: { 200: namedRule },
    },
  }),
  addPermissionRule: commandOfRoute('add-always-rule', {
    scope: 'tools',
    about: {},
    fields: { rule: WrittenPermissionRule },
    /** 200: the same rule was there. */
    place: { method: 'POST', path: '/permission-rules', params: nothing, answers: { 200: namedRule, 201: namedRule } },
  }),
  revokePermissionRule: commandOfRoute('revoke-always-rule', {
    scope: 'tools',
    about: { ruleId: OutsideId },
    fields: {},
    place: {
      method: 'DELETE',
      path: '/permission-rules/:ruleId',
      access: 'record',
      params: z.object({ ruleId: OutsideId }),
      answers: { 200: namedRule },
    },
  }),
  dismissPermissionSuggestion: commandOfRoute('dismiss-suggestion', {
    scope: 'tools',
    about: {},
    fields: { rule: SuggestedPermissionRule },
    place: {
      method: 'POST',
      path: '/permission-rules/suggestions/dismiss',
      params: nothing,
      answers: { 200: z.object({ dismissed: z.literal(true) }) },
    },
  }),
}

/** The routes of the commands that have one. */
export const commandRoutes = routesOf(commands)

type Table = typeof commands
type Row = Table[keyof Table]
type RowOnSocket = Extract<Row, { readonly onSocket: true }>

/** What is asked for by a command, whichever way it comes in. */
export type AskedCommand = z.infer<Row['frame']>

const [firstFrame, ...otherFrames] = Object.values<Row>(commands)
  .filter((row): row is RowOnSocket => row.onSocket)
  .map(({ frame }) => frame)
if (firstFrame === undefined) throw new Error('The table has no commands')

/** The frame of a command that a socket takes. */
export const CommandFrame = z.discriminatedUnion('name', [firstFrame, ...otherFrames])
export type CommandFrame = z.infer<typeof CommandFrame>

/** What a command answers over HTTP; never for one that is no route. */
export type CommandReply<Name extends AskedCommand['name']> = {
  [Key in keyof Table]: z.infer<Table[Key]['frame']>['name'] extends Name ? ReplyOf<Table[Key]['place']> : never
}[keyof Table]

/** What an API key needs for a new conversation: an agent or a preset decides what tools may do, and so does a mode. */
function scopeOfCreation({
  agentId,
  presetId,
  workspaceId,
  place,
  settings,
}: {
  readonly agentId?: string
  readonly presetId?: string
  readonly workspaceId?: string
  readonly place?: string
  readonly settings?: Readonly<Record<string, unknown>>
}): Scope {
  const isChosen = [agentId, presetId, workspaceId, place].some((choice) => choice !== undefined)
  return isChosen ? 'tools' : scopeOfSettings(settings)
}

const scopes = new Map(Object.values<Row>(commands).map(({ frame, scope }) => [frame.shape.name.value, scope]))

/** What an API key needs for a command, whichever way it comes in. [SEC1] */
export function scopeOfCommand(asked: AskedCommand): Scope {
  const scope = scopes.get(asked.name)
  if (scope === undefined) throw new Error(`The table has no command ${asked.name}`)
  if (typeof scope === 'string') return scope
  if (!('commandId' in asked))
    throw new Error(`The scope of ${asked.name} depends on settings that it does not ask for`)
  return scope(asked)
}
