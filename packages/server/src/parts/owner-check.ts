import { DamagedLogError, type EntryStore } from '@holdfast/conversation'
import { UnknownConversationError } from '@holdfast/engine'
import type { UserCommands } from './user-commands.ts'

/**
 * Checks whose conversation it is. Where its row in the list is damaged, the beginning of its log says, so that what
 * is left of it can be rescued by its owner and by nobody else. [SEC1, LOG7]
 */
export function createOwnerCheck(commands: Pick<UserCommands, 'owned'>, store: Pick<EntryStore, 'readableEntries'>) {
  return async (userId: string, conversationId: string): Promise<void> => {
    try {
      await commands.owned(userId, conversationId)
    } catch (error) {
      if (!(error instanceof DamagedLogError)) throw error
      const first = await firstReadable(store, conversationId)
      if (first?.type !== 'conversation-created') throw error
      if (first.ownerId !== userId) throw new UnknownConversationError(conversationId)
    }
  }
}

async function firstReadable(store: Pick<EntryStore, 'readableEntries'>, conversationId: string) {
  for await (const entry of store.readableEntries(conversationId)) return entry
  return null
}
