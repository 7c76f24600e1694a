import type { AgentInUse, ConversationSettings, Draft, EntryOf, InputPart, Json } from '@holdfast/conversation'
import type { GrantScope } from '@holdfast/tool'
import type { Answered } from './answered.ts'
import type { CanvasEngine } from './canvas-engine.ts'
import type { CommandBase, ConversationCommand } from './command-base.ts'
import type { ContextEngine } from './context-engine.ts'
import type { ConversationEngine } from './conversation-engine.ts'
import type { FilesEngine } from './files-engine.ts'
import type { PermissionEngine } from './permission-engine.ts'
import type { AnswerQuestion } from './question-answer.ts'

export type { CommandBase, ConversationCommand } from './command-base.ts'

/** Asks for a new conversation. The same command gives the same conversation again. */
export interface CreateConversation extends CommandBase {
  readonly ownerId: string
  readonly title: string | null
  readonly modelId: string | null
  /** What is set from the beginning, beside the model. */
  readonly settings?: ConversationSettings
  /** Who answers; nobody of its own where both are absent. [AGENT4] */
  readonly agentId?: string
  /** The same, as another conversation has it. */
  readonly agent?: AgentInUse
  /** Where it comes from; a new one where it is absent. */
  readonly origin?: EntryOf<'conversation-created'>['origin']
  /** The id that it gets; where it is absent, one that follows from the command. */
  readonly conversationId?: string
}

/**
 * Asks for an answer to something. `turn` waits for its turn, `interrupt` stops what runs and goes next,
 * `steer` joins what runs at its next tool boundary.
 */
export interface SendMessage extends CommandBase {
  readonly conversationId: string
  readonly content: readonly InputPart[]
  readonly lane: 'turn' | 'steer' | 'interrupt'
  /** Who or what it comes from; a person where it is absent. */
  readonly origin?: EntryOf<'input-admitted'>['origin']
}

/** Asks for other words, another lane or place, or a lock while somebody edits; what is absent stays. */
export interface ChangeInput extends CommandBase {
  readonly conversationId: string
  readonly inputId: string
  readonly content?: readonly InputPart[]
  readonly lane?: 'turn' | 'steer'
  /** Its new place among the waiting inputs, from 0. */
  readonly position?: number
  /** The client that edits it, or null when it has done. */
  readonly lockedBy?: string | null
}

/** Names a waiting input. */
export interface InputCommand extends CommandBase {
  readonly conversationId: string
  readonly inputId: string
}

/**
 * Asks a run to end. Without a run id: the exclusive run. With `force` a run that has been stopping for
 * 1.5 s no longer waits for its source. [STOP2, STOP10]
 */
export interface StopRun extends CommandBase {
  readonly conversationId: string
  readonly runId: string | null
  readonly force: boolean
}

/** What became of a stop request. */
export interface StopAnswer {
  /** The run that stops, or null when none runs. */
  readonly runId: string | null
  /** False when there was nothing to stop. */
  readonly accepted: boolean
}

/** Answers a request for permission. */
export interface AnswerPermission extends ConversationCommand {
  readonly requestId: string
  readonly decision: 'allow' | 'deny'
  /** How far a yes reaches; of no meaning for a no. [PERM5] */
  readonly scope: GrantScope
  /** For scope `pattern` and `always`: what the person agreed to; without it, exactly this call. */
  readonly pattern?: string
  /** Told to the model with a no. */
  readonly reason?: string
}

/** Gives settings of a conversation new values. */
export interface ChangeSettings extends ConversationCommand {
  /** By name; null returns a setting to what the agent or the installation says. */
  readonly changes: Readonly<Record<string, Json>>
}

/** Takes back a permission rule of a conversation. */
export interface RevokeRule extends ConversationCommand {
  readonly ruleId: string
}

/** Where an input was written. */
export interface Admitted {
  readonly seq: number
  readonly inputId: string
}

/** There is no such conversation. */
export class UnknownConversationError extends Error {
  override readonly name = 'UnknownConversationError'
  readonly code = 'unknown-conversation'
  readonly conversationId: string

  constructor(conversationId: string) {
    super(`There is no conversation ${conversationId}`)
    this.conversationId = conversationId
  }
}

/** The input does not wait any more: it was sent or removed. Nothing was changed. */
export class InputNotWaitingError extends Error {
  override readonly name = 'InputNotWaitingError'
  readonly code = 'input-not-waiting'
  readonly inputId: string

  constructor(inputId: string) {
    super(`Input ${inputId} was already sent or removed`)
    this.inputId = inputId
  }
}

/** There is no such request for permission, or another person was asked. */
export class UnknownPermissionRequestError extends Error {
  override readonly name = 'UnknownPermissionRequestError'
  readonly code = 'unknown-permission-request'
  readonly requestId: string

  constructor(requestId: string) {
    super(`There is no request for permission ${requestId}`)
    this.requestId = requestId
  }
}

/** A yes cannot reach so far for this tool. Nothing was answered. [PERM5] */
export class ScopeNotOfferedError extends Error {
  override readonly name = 'ScopeNotOfferedError'
  readonly code = 'scope-not-offered'
  readonly scope: GrantScope

  constructor(scope: GrantScope, tool: string) {
    super(
      `Scope ${scope} is not offered for ${tool}: it may destroy something, or its input is too long. Allow one call.`,
    )
    this.scope = scope
  }
}

/** There is no such model. Nothing was changed. */
export class UnknownModelError extends Error {
  override readonly name = 'UnknownModelError'
  readonly code = 'unknown-model'
  readonly modelId: string

  constructor(modelId: string) {
    super(`There is no model ${modelId}; GET /models lists those that there are`)
    this.modelId = modelId
  }
}

/** The folder is not one that the operator allows, or is not there. Nothing was changed. [WS1] */
export class WorkspaceNotPermittedError extends Error {
  override readonly name = 'WorkspaceNotPermittedError'
  readonly code = 'workspace-not-permitted'
  readonly workspace: string

  constructor(workspace: string) {
    super(
      `The folder ${workspace} may not be used: it is not there, or not inside the workspace of this installation. ` +
        'Name a folder inside it, or start with --workspace.',
    )
    this.workspace = workspace
  }
}

/** What happens in conversations. Every answer means: it is durable. */
export interface Engine extends ConversationEngine, ContextEngine, CanvasEngine, FilesEngine, PermissionEngine {
  /** @throws {UnknownModelError | UnknownAgentError} */
  createConversation(command: CreateConversation): Promise<{ readonly conversationId: string }>
  /** The id that a conversation created by this command has. */
  conversationIdFor(ownerId: string, commandId: string): string
  /** @throws {UnknownConversationError} */
  sendMessage(command: SendMessage): Promise<Admitted>
  /** @throws {UnknownConversationError} */
  stopRun(command: StopRun): Promise<StopAnswer>
  /** @throws {UnknownConversationError | InputNotWaitingError} */
  changeInput(command: ChangeInput): Promise<void>
  /** @throws {UnknownConversationError | InputNotWaitingError} */
  removeInput(command: InputCommand): Promise<void>
  /**
   * Sends a waiting input next, stopping what runs; what is held goes on behind it.
   *
   * @throws {UnknownConversationError | InputNotWaitingError}
   */
  sendInputNow(command: InputCommand): Promise<void>
  /** @throws {UnknownConversationError} */
  holdQueue(command: ConversationCommand): Promise<void>
  /** @throws {UnknownConversationError} */
  releaseQueue(command: ConversationCommand): Promise<void>
  /**
   * Answers a request for permission; a parked run goes on.
   *
   * @throws {UnknownConversationError | UnknownPermissionRequestError | ScopeNotOfferedError}
   */
  answerPermission(command: AnswerPermission): Promise<Answered>
  /**
   * Answers a question of a running call, which goes on with it.
   *
   * @throws {UnknownConversationError | UnknownQuestionError | AnswerRefusedError}
   */
  answerQuestion(command: AnswerQuestion): Promise<Answered>
  /**
   * A change of `agentId` switches the agent; null switches to the one that sets nothing. [AGENT4]
   *
   * @throws {UnknownConversationError | UnknownModelError | UnknownAgentError | WorkspaceNotPermittedError |
   *   MalformedEntryError} the last for a setting that does not exist.
   */
  changeSettings(command: ChangeSettings): Promise<void>
  /** @throws {UnknownConversationError} */
  revokeRule(command: RevokeRule): Promise<void>
  /** The open step of a conversation that runs here, with all that was published of it; null when there is none. */
  openDraft(conversationId: string): Draft | null
  /**
   * Goes on with what waits in a conversation: an input that was acknowledged just before the process ended, and
   * that no run had taken yet.
   */
  resume(conversationId: string): Promise<void>
  /** Finishes what an earlier process left open in every log whose lease has expired. [RUN4] */
  recover(): Promise<void>
  /** Stops what runs, as interrupted, and waits until it is written. [RUN14] */
  close(): Promise<void>
}
