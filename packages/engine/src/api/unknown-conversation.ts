import { RefusedCommandError } from './refused-command-error.ts'

/** There is no such conversation. */
export class UnknownConversationError extends RefusedCommandError {
  override readonly name = 'UnknownConversationError'

  constructor(conversationId: string) {
    super('unknown-conversation', `There is no conversation ${conversationId}`, { conversationId })
  }
}
