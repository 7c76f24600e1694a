import type { ConversationIndex, EntryStore, Records, SnapshotStore } from '@holdfast/conversation'
import type { Desks } from '../parts/desks.ts'
import { readInbox } from '../schedules/read-inbox.ts'
import type { ScheduleDirectory } from '../schedules/schedule-directory.ts'
import { createPushes, type PushDeps, type Pushes, type PushPort } from './pushes.ts'

/** What a server tells browsers with. */
export interface OpenPushesDeps extends Pick<PushDeps, 'bus' | 'clock' | 'log'> {
  readonly records: Records
  readonly store: Pick<EntryStore, 'read' | 'listConversations'> &
    Pick<ConversationIndex, 'readListing'> &
    SnapshotStore
  readonly schedules?: ScheduleDirectory | undefined
  /** Absent where nobody is told. */
  readonly push?: (PushPort & Pick<PushDeps, 'sha256'>) | undefined
}

/** Tells browsers of what the inbox of their person holds; null where no service is named. [SCHED26] */
export function openPushes(deps: OpenPushesDeps, desks: Pick<Desks, 'readMark'>): Pushes | null {
  const { push: port, store, clock } = deps
  if (!port || port.services.length === 0) return null
  const schedules = deps.schedules ?? null
  const pushes = createPushes({
    ...deps,
    port,
    sha256: port.sha256,
    ownerOf: async (conversationId) => (await store.readListing(conversationId))?.ownerId ?? null,
    async inboxOf(userId) {
      // Another process may have seen a run end.
      await schedules?.scheduler.refresh()
      const items = await readInbox({ store, desks, schedules, clock }, userId)
      // Who left a client at work knows of it: no device is woken for that.
      return items.filter(({ kind }) => kind !== 'client')
    },
  })
  const unsubscribe = schedules?.scheduler.subscribe(pushes.changed)
  return {
    ...pushes,
    close() {
      unsubscribe?.()
      pushes.close()
    },
  }
}
