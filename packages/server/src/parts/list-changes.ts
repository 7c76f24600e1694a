import type { Clock, ConversationIndex } from '@holdfast/conversation'
import type { LiveBus } from '@holdfast/engine'
import type { ServerFrameOf } from '@holdfast/protocol'
import type { Desks } from './desks.ts'
import { rowOf } from './row-of.ts'

/** Tells the tabs of a user which rows of the list have changed, whoever changed them. [SYNC4] */
export interface ListChanges {
  /** Something of a row changed that stands in no log, such as what was read, or that the bus may not have said. */
  changed(conversationId: string): void
  /** A conversation of the user is deleted. */
  removed(userId: string, conversationId: string): void
  /** @returns a function that ends the subscription. */
  subscribe(userId: string, listener: (change: ListChange) => void): () => void
  close(): void
}

/** What a tab is told. */
export type ListChange = Pick<ServerFrameOf<'conversations'>, 'changed' | 'removed'>

/** What it needs. */
export interface ListChangesDeps {
  readonly bus: Pick<LiveBus, 'subscribeToAll'>
  readonly store: Pick<ConversationIndex, 'readListing'>
  readonly desks: Pick<Desks, 'readMark'>
  readonly clock: Clock
  /** Called when a row cannot be read; the next change tries again. */
  readonly onError: (error: unknown) => void
}

/** Changes within this time are told as one, in milliseconds. */
const GATHER_MS = 100

/** Hears of every conversation through the bus: also of those that nobody has opened since the server began. */
export function createListChanges({ bus, store, desks, clock, onError }: ListChangesDeps): ListChanges {
  /** What ends the wait before a conversation is told of. */
  const gathering = new Map<string, () => void>()
  const listeners = new Map<string, Set<(change: ListChange) => void>>()
  const unsubscribe = bus.subscribeToAll(({ type, conversationId }) => {
    if (type === 'entries') changed(conversationId)
  })

  function changed(conversationId: string): void {
    if (listeners.size === 0 || gathering.has(conversationId)) return
    const cancel = clock.after(GATHER_MS, () => {
      gathering.delete(conversationId)
      void tell(conversationId)
    })
    gathering.set(conversationId, cancel)
  }

  async function tell(conversationId: string): Promise<void> {
    try {
      const listing = await store.readListing(conversationId)
      if (!listing || !listeners.has(listing.ownerId)) return
      const row = await rowOf(desks, listing)
      for (const listener of listeners.get(listing.ownerId) ?? []) listener({ changed: [row] })
    } catch (error) {
      onError(error)
    }
  }

  return {
    changed,
    removed(userId, conversationId) {
      for (const listener of listeners.get(userId) ?? []) listener({ changed: [], removed: [conversationId] })
    },
    subscribe(userId, listener) {
      const own = listeners.get(userId) ?? new Set()
      own.add(listener)
      listeners.set(userId, own)
      return () => {
        own.delete(listener)
        if (own.size === 0 && listeners.get(userId) === own) listeners.delete(userId)
      }
    },
    close() {
      unsubscribe()
      for (const cancel of gathering.values()) cancel()
      gathering.clear()
    },
  }
}
