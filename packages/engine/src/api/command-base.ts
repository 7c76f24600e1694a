import type { Actor } from '@holdfast/conversation'

/** What a person or program asks for, once. [LOG4] */
export interface CommandBase {
  /** Chosen by whoever asks; the same id again has no second effect. */
  readonly commandId: string
  readonly actor: Actor
}

/** Names a conversation. */
export interface ConversationCommand extends CommandBase {
  readonly conversationId: string
}
