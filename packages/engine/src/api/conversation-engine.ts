import type { Actor, ConversationToolMetrics, Entry, Json, RewindReason } from '@holdfast/conversation'
import type { PermissionDecision, ToolDefinition } from '@holdfast/tool'
import type { ConversationCommand } from './command-base.ts'
import type { GivenContent } from './given-content.ts'
import type { NewConversation } from './new-conversation.ts'
import { RefusedCommandError } from './refused-command-error.ts'

/** Asks to go on after an earlier exchange. What followed it is set aside, readable and paid for. [PRJ6] */
export interface RewindPath extends ConversationCommand {
  /** The last entry kept: 0, or the end of an exchange. */
  readonly toSeq: number
  readonly reason: RewindReason
  /**
   * What is answered first on the new path. Where it is absent, a retry or redo asks what the first exchange that is
   * set aside had asked; an edit or a rewind asks nothing.
   */
  readonly content?: GivenContent
}

/** Where the path went back, and what is asked now. */
export interface Rewound {
  /** `seq` of the accounting line. */
  readonly seq: number
  /** Null when nothing is asked. */
  readonly inputId: string | null
}

/** Asks for a branch that was set aside. */
export interface SelectPath extends ConversationCommand {
  /** Its last entry: the end of an exchange. */
  readonly headSeq: number
}

/** Asks for a new conversation with what stands up to an entry. */
export interface ForkConversation extends ConversationCommand {
  /** The end of an exchange, on the path or set aside. */
  readonly atSeq: number
}

/** The conversation that a command led to. */
export interface LedTo {
  readonly conversationId: string
}

/** Asks for another title, place or settings, all at once; what is absent stays. */
export interface ChangeConversation extends ConversationCommand {
  readonly title?: string
  /** True archives the conversation, false brings it back. */
  readonly archived?: boolean
  /** By name; null returns a setting to what the agent or the installation says. */
  readonly changes?: Readonly<Record<string, Json>>
}

/** Asks for the erasure of what entries say. [LOG9] */
export interface EraseEntries extends NamedWords {
  readonly reason: string
  /** Who asks, as the tombstones will say. */
  readonly actor?: Actor
}

/** Words of a conversation that are to be erased, by their entries. */
export interface NamedWords {
  readonly conversationId: string
  readonly seqs: readonly number[]
  /** Whether what the calls of these answers returned and asked is meant too. */
  readonly withResults?: boolean
}

/** A tool of a conversation as it is now. */
export interface ConversationTool {
  readonly definition: ToolDefinition
  /** Whether requests may call it. */
  readonly included: boolean
  /** Tokens that its definition takes of a request, estimated. */
  readonly schemaTokens: number
  /** What would become of a call without arguments. [PERM1] */
  readonly permission: PermissionDecision
  /** What it did here; null before its first call. */
  readonly metrics: ConversationToolMetrics | null
}

/** A turn runs, or waits for a person. Stop it first. Nothing was changed. */
export class RunActiveError extends RefusedCommandError {
  override readonly name = 'RunActiveError'

  constructor(conversationId: string, runId: string | null) {
    super('run-active', `A run of conversation ${conversationId} has not ended; stop it first`, {
      conversationId,
      runId,
    })
  }
}

/** What can be asked of a conversation as a whole. Every answer means: it is durable. */
export interface ConversationEngine {
  /** @throws {UnknownConversationError | RunActiveError | RefusedCommandError} */
  rewind(command: RewindPath): Promise<Rewound>
  /** @throws {UnknownConversationError | RunActiveError | RefusedCommandError} */
  selectPath(command: SelectPath): Promise<void>
  /** @throws {UnknownConversationError | RefusedCommandError} */
  fork(command: ForkConversation): Promise<LedTo>
  /**
   * Stops what runs, archives the conversation and begins another with the same settings. [LOG12]
   *
   * @throws {UnknownConversationError}
   */
  reset(command: ConversationCommand): Promise<LedTo>
  /**
   * Bringing back what was reset less than 8 s ago undoes the reset: the conversation that took its place is archived
   * when nothing was asked in it. [LOG12]
   *
   * @throws {UnknownConversationError | RefusedCommandError | MalformedEntryError}
   */
  changeConversation(command: ChangeConversation): Promise<void>
  /** @throws {UnknownConversationError | RunActiveError} */
  deleteConversation(conversationId: string): Promise<void>
  /**
   * @returns the tombstones.
   * @throws {UnknownConversationError | RunActiveError | ErasureRefusedError}
   */
  eraseEntries(erasure: EraseEntries): Promise<readonly Entry[]>
  /**
   * @returns what the erasure of these words would erase now, in the order of the log. Nothing is changed.
   * @throws {UnknownConversationError | ErasureRefusedError}
   */
  previewErasure(named: NamedWords): Promise<readonly Entry[]>
  /** @throws {UnknownConversationError} */
  listTools(conversationId: string): Promise<readonly ConversationTool[]>
  /** Those that a conversation would have that nobody has begun. @throws {RefusedCommandError} */
  listToolsOfNew(asked: NewConversation): Promise<readonly ConversationTool[]>
}
