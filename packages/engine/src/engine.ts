import type { Actor, Draft, InputPart } from '@holdfast/conversation'

/** What a person or program asks for, once. [LOG4] */
export interface CommandBase {
  /** Chosen by whoever asks; the same id again has no second effect. */
  readonly commandId: string
  readonly actor: Actor
}

/** Asks for a new conversation. The same command gives the same conversation again. */
export interface CreateConversation extends CommandBase {
  readonly ownerId: string
  readonly title: string | null
  readonly modelId: string | null
}

/** Asks for an answer to something. */
export interface SendMessage extends CommandBase {
  readonly conversationId: string
  readonly content: readonly InputPart[]
}

/** Asks a run to end. Without a run id: the exclusive run. [STOP2] */
export interface StopRun extends CommandBase {
  readonly conversationId: string
  readonly runId: string | null
}

/** What became of a stop request. */
export interface StopAnswer {
  /** The run that stops, or null when none runs. */
  readonly runId: string | null
  /** False when there was nothing to stop. */
  readonly accepted: boolean
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

/** What happens in conversations. Every answer means: it is durable. */
export interface Engine {
  createConversation(command: CreateConversation): Promise<{ readonly conversationId: string }>
  /** @throws {UnknownConversationError} */
  sendMessage(command: SendMessage): Promise<Admitted>
  /** @throws {UnknownConversationError} */
  stopRun(command: StopRun): Promise<StopAnswer>
  /** The open step of a conversation that runs here, with all that was published of it; null when there is none. */
  openDraft(conversationId: string): Draft | null
  /** Finishes what an earlier process left open in every log whose lease has expired. [RUN4] */
  recover(): Promise<void>
  /** Stops what runs, as interrupted, and waits until it is written. [RUN14] */
  close(): Promise<void>
}
