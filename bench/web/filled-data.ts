import { join } from 'node:path'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { fillConversationOf, systemClock } from '../lib/stores.ts'

/** Entries of one turn with its two messages. */
const ENTRIES_A_TURN = 7

/** Puts one conversation of so many messages, called `Long`, into an empty folder. */
export async function fillData(dataDir: string, messageCount: number): Promise<void> {
  const { store, close } = await createSqliteStore({ dataDir: join(dataDir, 'store'), clock: systemClock })
  try {
    const conversationId = 'conversation_long'
    const entryCount = (messageCount / 2) * ENTRIES_A_TURN + 1
    const head = await fillConversationOf(store, { conversationId, ownerId: 'local', entryCount })
    const title = {
      type: 'title-changed',
      actor: { type: 'person', userId: 'local' },
      title: 'Long',
      source: 'user',
    } as const
    await store.append({ conversationId, after: head, entries: [title], at: Date.now() })
  } finally {
    await close()
  }
}
