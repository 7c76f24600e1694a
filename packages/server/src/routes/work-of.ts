import type { EntryStore } from '@holdfast/conversation'
import type { ServerHealth } from '@holdfast/protocol'

/** So many conversations of each person are looked at: what is at work has a new message. */
const NEWEST = 100

/** What is at work in the newest conversations of everybody, by their rows in the list: whichever server runs it. [SCALE20] */
export async function workOf(
  store: Pick<EntryStore, 'listConversations'>,
  ownerIds: readonly string[],
): Promise<ServerHealth['work']> {
  const work = { conversationsOfEach: NEWEST, runningCount: 0, waitingForPersonCount: 0, queuedCount: 0 }
  for (const ownerId of ownerIds) {
    const listed = await store.listConversations({ ownerId, archived: false, limit: NEWEST })
    for (const { state, queuedCount } of listed) {
      work.queuedCount += queuedCount
      if (state === 'running') work.runningCount += 1
      if (state === 'waiting-for-permission' || state === 'waiting-for-answer') work.waitingForPersonCount += 1
    }
  }
  return work
}
