import type { ConversationIndex, ListQuery } from '@holdfast/conversation'
import type { Engine } from '@holdfast/engine'

const PAGE = 200

/**
 * Goes on with every conversation of an owner in which an acknowledged input or answer waits for nobody. In an archived
 * one what runs goes on, and what is queued waits until it is brought back: the engine knows. [RUN2, RUN4]
 */
export async function resumeWaiting(deps: ResumeDeps): Promise<void> {
  for (const archived of [false, true]) await resumeListed(deps, archived)
}

/** What it needs. */
export interface ResumeDeps {
  readonly store: Pick<ConversationIndex, 'listConversations'>
  readonly engine: Pick<Engine, 'resume'>
  readonly ownerId: string
}

async function resumeListed({ store, engine, ownerId }: ResumeDeps, archived: boolean): Promise<void> {
  let before: ListQuery['before']
  for (;;) {
    const query = { ownerId, archived, limit: PAGE }
    const rows = await store.listConversations(before ? { ...query, before } : query)
    for (const { conversationId, queuedCount, state } of rows)
      if (queuedCount > 0 || state === 'running') await engine.resume(conversationId)
    before = rows.at(-1)
    if (rows.length < PAGE) return
  }
}
