import type { ConversationIndex, ListQuery } from '@holdfast/conversation'
import type { Engine, FaultOptions } from '@holdfast/engine'

const PAGE = 200

/**
 * Goes on with every conversation of an owner in which an acknowledged input or answer waits for nobody. In an archived
 * one what runs goes on, and what is queued waits until it is brought back: the engine knows. One that cannot be read is
 * told, and the others go on. [RUN2, RUN4, LOG7]
 */
export async function resumeWaiting(deps: ResumeDeps): Promise<void> {
  for (const archived of [false, true]) await resumeListed(deps, archived)
}

/** What it needs. */
export interface ResumeDeps {
  readonly store: Pick<ConversationIndex, 'listConversations'>
  readonly engine: Pick<Engine, 'resume'>
  readonly ownerId: string
  readonly onFault: FaultOptions['onFault']
}

async function resumeListed({ store, engine, ownerId, onFault }: ResumeDeps, archived: boolean): Promise<void> {
  let before: ListQuery['before']
  for (;;) {
    const query = { ownerId, archived, limit: PAGE }
    const rows = await store.listConversations(before ? { ...query, before } : query)
    for (const { conversationId, queuedCount, state } of rows)
      if (queuedCount > 0 || state === 'running')
        await engine.resume(conversationId).catch((error: unknown) => onFault({ conversationId, error }))
    before = rows.at(-1)
    if (rows.length < PAGE) return
  }
}
