import type {
  AgentInUse,
  AppendedRecord,
  ConversationSettings,
  Draft,
  EntryOf,
  Json,
  Scheduled,
} from '@holdfast/conversation'
import type { GrantReach } from '@holdfast/tool'
import type { AgentNote } from './agent-note.ts'
import type { Answered } from './answered.ts'
import type { AutoFixEngine } from './auto-fix-engine.ts'
import type { CanvasEngine } from './canvas-engine.ts'
import type { AnswerCalls } from './client-result.ts'
import type { CommandBase, ConversationCommand } from './command-base.ts'
import type { ContextEngine } from './context-engine.ts'
import type { ConversationEngine } from './conversation-engine.ts'
import type { FilesEngine } from './files-engine.ts'
import type { GatewayEngine } from './gateway-engine.ts'
import type { GivenContent } from './given-content.ts'
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
  /** What else is set from the beginning; `settings` and the model stand above it. [WS33] */
  readonly presetId?: string
  /** The agent that answers, as another conversation has it. */
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
  readonly content: GivenContent
  readonly lane: 'turn' | 'steer' | 'interrupt'
  /** A waiting input behind which it was written while the queue went on: it keeps that place, though the queue is held by now. [STOP9] */
  readonly behind?: string
  /** Who or what it comes from; a person where it is absent. */
  readonly origin?: EntryOf<'input-admitted'>['origin']
}

/** Asks what a schedule asks, once. [SCHED1] */
export interface AdmitOccurrence extends ConversationCommand {
  /** How its conversation begins; null for one that is there. */
  readonly begins: Omit<CreateConversation, 'commandId' | 'actor' | 'conversationId'> | null
  readonly inputId: string
  readonly content: GivenContent
  readonly schedule: Scheduled
  /** They claim the occurrence: written with its input, or nothing is. */
  readonly records: readonly AppendedRecord[]
}

/** Asks for other words, another lane or place, or a lock while somebody edits; what is absent stays. */
export interface ChangeInput extends CommandBase {
  readonly conversationId: string
  readonly inputId: string
  readonly content?: GivenContent
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
  /** `unattended`: denied because nobody is there to be asked. [PERM6] */
  readonly decision: 'allow' | 'deny' | 'unattended'
  /** How far a yes reaches; of no meaning for a no. [PERM5] */
  readonly scope: GrantReach
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

/** What happens in conversations. Every answer means: it is durable. */
export interface Engine
  extends ConversationEngine,
    ContextEngine,
    CanvasEngine,
    FilesEngine,
    PermissionEngine,
    AutoFixEngine,
    GatewayEngine {
  /** @throws {RefusedCommandError} */
  createConversation(command: CreateConversation): Promise<{ readonly conversationId: string }>
  /** The id that a conversation created by this command has. */
  conversationIdFor(ownerId: string, commandId: string): string
  /** @throws {UnknownConversationError} */
  sendMessage(command: SendMessage): Promise<Admitted>
  /**
   * @returns the input that asks it: that of another, where another has admitted it before. Then nothing was written.
   * @throws {UnknownConversationError | RefusedCommandError}
   * @throws {RevisionConflictError} where another process has claimed it; nothing was written.
   */
  admitOccurrence(command: AdmitOccurrence): Promise<{ readonly inputId: string }>
  /** @throws {UnknownConversationError} */
  stopRun(command: StopRun): Promise<StopAnswer>
  /** @throws {UnknownConversationError | RefusedCommandError} */
  changeInput(command: ChangeInput): Promise<void>
  /** @throws {UnknownConversationError | RefusedCommandError} */
  removeInput(command: InputCommand): Promise<void>
  /**
   * Sends a waiting input next, stopping what runs; what is held goes on behind it.
   *
   * @throws {UnknownConversationError | RefusedCommandError}
   */
  sendInputNow(command: InputCommand): Promise<void>
  /** @throws {UnknownConversationError} */
  holdQueue(command: ConversationCommand): Promise<void>
  /** @throws {UnknownConversationError} */
  releaseQueue(command: ConversationCommand): Promise<void>
  /**
   * Answers a request for permission; a parked run goes on.
   *
   * @throws {UnknownConversationError | RefusedCommandError}
   */
  answerPermission(command: AnswerPermission): Promise<Answered>
  /**
   * Answers a question of a running call, which goes on with it.
   *
   * @throws {UnknownConversationError | RefusedCommandError}
   */
  answerQuestion(command: AnswerQuestion): Promise<Answered>
  /**
   * Says what came of calls that a client runs; the parked run goes on. [TOOL18]
   *
   * @throws {UnknownConversationError}
   */
  answerCalls(command: AnswerCalls): Promise<Answered>
  /**
   * A change of `agentId` switches the agent; null switches to the one that sets nothing. [AGENT4]
   *
   * @throws {UnknownConversationError | RefusedCommandError | MalformedEntryError} the last for a setting that does not exist.
   */
  changeSettings(command: ChangeSettings): Promise<void>
  /** Writes down what an external agent did beside its answers. @throws {UnknownConversationError} */
  noteAgent(note: AgentNote): Promise<void>
  /** @throws {UnknownConversationError} */
  revokeRule(command: RevokeRule): Promise<void>
  /** The open step of a conversation that runs here, with all that was published of it; null when there is none. */
  openDraft(conversationId: string): Draft | null
  /** Whose conversation it is, where that is known without reading; null where the store has to be asked. [RUN20] */
  knownOwner(conversationId: string): string | null
  /** Told that something else in this process has written into a log or deleted it: what is kept of it is read anew. [RUN22] */
  forgetLog(conversationId: string): void
  /**
   * Goes on with what waits in a conversation: an input that was acknowledged just before the process ended, and
   * that no run had taken yet.
   */
  resume(conversationId: string): Promise<void>
  /**
   * Finishes what an earlier process left open in every log whose lease has expired. A log that cannot be read is told as
   * a fault, and the others are finished. [RUN4, LOG7]
   */
  recover(): Promise<void>
  /**
   * Begins nothing more, and resolves when all that runs has come to its end by itself. What waits is handed over to the other
   * processes on the store. `close` cuts it short. [SCALE6]
   */
  drain(): Promise<void>
  /** Stops what runs, as interrupted, and waits until it is written. [RUN14] */
  close(): Promise<void>
}
