import type { Actor, ConversationActivity, EntryStore, Ids } from '@holdfast/conversation'
import type { Engine } from '@holdfast/engine'

/** What it works with. */
export interface StopWorkDeps {
  readonly store: Pick<EntryStore, 'listConversations'>
  readonly engine: Pick<Engine, 'stopRun'>
  readonly ids: Ids
}

/** So many conversations are looked at: what is at work has a new message, and the next request of any other is not made. */
const NEWEST = 200

/** What has a run that is open: one that waits for its person too may have a command at work beside, or an agent's program. */
const AT_WORK: ReadonlySet<ConversationActivity> = new Set(['running', 'waiting-for-permission', 'waiting-for-answer'])

/** Stops what runs for someone, at whichever server, as a stop in their conversation does: what waits there is held. [SCALE34] */
export async function stopWorkOf({ store, engine, ids }: StopWorkDeps, ownerId: string, actor: Actor): Promise<void> {
  const listed = await store.listConversations({ ownerId, archived: false, limit: NEWEST })
  for (const { conversationId, state } of listed)
    if (AT_WORK.has(state))
      await engine.stopRun({ actor, conversationId, commandId: ids.next('request'), runId: null, force: true })
}
