import type { ConversationIndex, ListQuery } from '@holdfast/conversation'
import type { Engine } from '@holdfast/engine'

const PAGE = 200

/** Goes on with every conversation of an owner in which an acknowledged input or answer waits for nobody. */
export async function resumeWaiting({
  store,
  engine,
  ownerId,
}: {
  readonly store: ConversationIndex
  readonly engine: Engine
  readonly ownerId: string
}): Promise<void> {
  let before: ListQuery['before']
  for (;;) {
    const query = { ownerId, archived: false, limit: PAGE }
    const rows = await store.listConversations(before ? { ...query, before } : query)
    for (const { conversationId, queuedCount, state } of rows)
      if (queuedCount > 0 || state === 'running') await engine.resume(conversationId)
    before = rows.at(-1)
    if (rows.length < PAGE) return
  }
}
