import type { Breakdown, ContextUse } from '@holdfast/context'
import type { ModelRequest } from '@holdfast/provider'
import type { ConversationCommand } from './command-base.ts'

/** Asks for a checkpoint now. */
export interface MakeCheckpoint extends ConversationCommand {
  /** What its summary is to keep above all; null for nothing in particular. */
  readonly focus: string | null
}

/** Names a checkpoint. */
export interface CheckpointCommand extends ConversationCommand {
  readonly checkpointSeq: number
}

/** Asks for other words in a checkpoint. */
export interface EditCheckpoint extends CheckpointCommand {
  readonly summary: string
}

/** How full the window is, and of what. [C1] */
export interface ContextReport extends ContextUse {
  readonly breakdown: Breakdown
  readonly modelId: string
}

/** The next request as it would be sent now. [C8] */
export interface NextRequest {
  readonly request: ModelRequest
  /** Entries at which cache marks stand. */
  readonly anchors: readonly number[]
  /** First entry that is sent as it is. */
  readonly windowStartSeq: number
  readonly estimatedInputTokens: number
  /** What each message holds, by `seq`, in the order of the messages. */
  readonly seqs: readonly (readonly number[])[]
}

/** The request of a past step, built again from the log. [REQ1] */
export interface RequestReceipt {
  readonly stepId: string
  readonly seq: number
  readonly modelId: string
  readonly request: ModelRequest
  /** SHA-256 of what was sent then. */
  readonly requestHash: string
  /** Whether the request built again has the same hash. */
  readonly isExact: boolean
  readonly anchors: readonly number[]
  readonly windowStartSeq: number
}

/** There is no such checkpoint on the path, or it was undone. Nothing was changed. */
export class UnknownCheckpointError extends Error {
  override readonly name = 'UnknownCheckpointError'
  readonly code = 'unknown-checkpoint'
  readonly checkpointSeq: number

  constructor(checkpointSeq: number) {
    super(`Entry ${checkpointSeq} is no checkpoint that counts`)
    this.checkpointSeq = checkpointSeq
  }
}

/** What can be asked about the context of a conversation. */
export interface ContextEngine {
  /** @throws {UnknownConversationError | RunActiveError} */
  makeCheckpoint(command: MakeCheckpoint): Promise<{ readonly runId: string }>
  /** @throws {UnknownConversationError | RunActiveError | UnknownCheckpointError} */
  editCheckpoint(command: EditCheckpoint): Promise<void>
  /** @throws {UnknownConversationError | RunActiveError | UnknownCheckpointError} */
  undoCheckpoint(command: CheckpointCommand): Promise<void>
  /** Asks the model for a title; one that a person gave stays. @throws {UnknownConversationError | RunActiveError} */
  makeTitle(command: ConversationCommand): Promise<{ readonly runId: string }>
  /** Null where there is no model. @throws {UnknownConversationError} */
  contextOf(conversationId: string): Promise<ContextReport | null>
  /** Null where there is no model, or while calls are open. @throws {UnknownConversationError} */
  nextRequest(conversationId: string): Promise<NextRequest | null>
  /** Null where there is no such step of a turn, or its model is gone. @throws {UnknownConversationError} */
  receiptOf(asked: { readonly conversationId: string; readonly stepId: string }): Promise<RequestReceipt | null>
}
