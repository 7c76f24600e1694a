import type { Breakdown, CacheOutlook, ContextUse, LeftOut, RequestItem } from '@holdfast/context'
import type { Entry, EntryOf, InputPart } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import type { ConversationCommand } from './command-base.ts'
import type { NewPriceInquiry, NextPrice, PriceInquiry } from './price-inquiry.ts'

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

/** Asks that every checkpoint carries a message over, or no longer. */
export interface PinMessage extends ConversationCommand {
  /** A `user-message-sent`. */
  readonly messageSeq: number
  readonly isPinned: boolean
}

/** Asks that the result of a call is left out of later requests, or no longer. [TOOL10] */
export interface ExcludeResult extends ConversationCommand {
  /** A `tool-call-settled`. */
  readonly resultSeq: number
  readonly isExcluded: boolean
}

/** How full the window is, and of what. [C1] */
export interface ContextReport extends ContextUse {
  /** Who builds the requests: `agent` for an external agent, which alone knows what they are made of. [AGENT39] */
  readonly heldBy: 'conversation' | 'agent'
  /** Answers that are sent without their thinking, by `seq`. [REQ4] */
  readonly thinkingLeftOutSeqs: readonly number[]
  readonly breakdown: Breakdown
  readonly modelId: string
}

/** Asks for the next request, with the words that would be sent; empty for none yet. */
export interface NextRequestInquiry {
  readonly conversationId: string
  readonly content: readonly InputPart[]
}

/** The next request as it would be sent now. [C8] */
export interface NextRequest {
  readonly request: ModelRequest
  /** As the provider gets it, with the hash of a file in the place of its content; null where nothing is sent, as to a script. */
  readonly wireBody: string | null
  /** Entries at which cache marks stand. */
  readonly anchors: readonly number[]
  /** First entry that is sent as it is. */
  readonly windowStartSeq: number
  readonly estimatedInputTokens: number
  /** Each message with what it holds and why it is sent, in their order. [C8] */
  readonly items: readonly RequestItem[]
  /** What is in the conversation and not in the request. */
  readonly leftOut: readonly LeftOut[]
  /** What of it the provider's cache has. */
  readonly cache: CacheOutlook
}

/** Why a past request cannot be built again: its model is not there any more, its words were erased, its log does not say how it was made, or an external agent made it. */
export type NotRebuilt = 'model-gone' | 'erased' | 'not-recorded' | 'passed-on'

/** A past request, whatever it was for, built again from the log, with what it cost. [REQ1, RUN17] */
export interface RequestReceipt {
  /** The conversation that made it: the one that was asked, or that of a sub-agent. */
  readonly conversationId: string
  readonly stepId: string
  readonly runId: string
  readonly seq: number
  /** When it was made, in milliseconds since the Unix epoch. */
  readonly at: number
  readonly purpose: EntryOf<'step-started'>['purpose']
  readonly providerId: string
  readonly modelId: string
  /** Null where it cannot be built again. */
  readonly request: ModelRequest | null
  readonly notRebuilt: NotRebuilt | null
  /** SHA-256 of what was sent then. */
  readonly requestHash: string
  /** Whether the request built again has the same hash. */
  readonly isExact: boolean
  readonly anchors: readonly number[]
  readonly windowStartSeq: number
  /** Where it was passed on to as it was, and how large it was; null for a request of ours. [AGENT25] */
  readonly passed: { readonly path: string; readonly sizeBytes: number } | null
  /** Entries before it whose words it may have held and that were erased since. [LOG9] */
  readonly erasedSeqs: readonly number[]
  /** What it cost; null as long as it is not over. */
  readonly usage: (Entry & EntryOf<'usage-recorded'>) | null
}

/** What can be asked about the context of a conversation. */
export interface ContextEngine {
  /** @throws {UnknownConversationError | RunActiveError} */
  makeCheckpoint(command: MakeCheckpoint): Promise<{ readonly runId: string }>
  /** @throws {UnknownConversationError | RunActiveError | RefusedCommandError} */
  editCheckpoint(command: EditCheckpoint): Promise<void>
  /** @throws {UnknownConversationError | RunActiveError | RefusedCommandError} */
  undoCheckpoint(command: CheckpointCommand): Promise<void>
  /** Asks the model for a title; one that a person gave stays. @throws {UnknownConversationError | RunActiveError} */
  makeTitle(command: ConversationCommand): Promise<{ readonly runId: string }>
  /** @throws {UnknownConversationError | RefusedCommandError} */
  pinMessage(command: PinMessage): Promise<void>
  /** @throws {UnknownConversationError | RefusedCommandError | RunActiveError} */
  excludeResult(command: ExcludeResult): Promise<void>
  /**
   * What the next message would cost. Null where there is no model, while calls are open, or where a checkpoint has
   * nothing to cover.
   *
   * @throws {UnknownConversationError | RefusedCommandError | MalformedEntryError}
   */
  priceOf(question: PriceInquiry): Promise<NextPrice | null>
  /** What the first message of a conversation would cost that nobody has begun. @throws {RefusedCommandError | MalformedEntryError} */
  priceOfNew(question: NewPriceInquiry): Promise<NextPrice | null>
  /** Null where there is no model. @throws {UnknownConversationError} */
  contextOf(conversationId: string): Promise<ContextReport | null>
  /** Null where there is no model, or while calls are open. @throws {UnknownConversationError | ProviderError} */
  nextRequest(asked: NextRequestInquiry): Promise<NextRequest | null>
  /** Null where neither the conversation nor a sub-agent of it made such a request. */
  receiptOf(asked: { readonly conversationId: string; readonly stepId: string }): Promise<RequestReceipt | null>
}
