import type { Clock, ConversationIndex } from '@holdfast/conversation'
import type { LiveBus } from '@holdfast/engine'
import type { ConversationRow, ServerFrameOf } from '@holdfast/protocol'
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

/** A row is told at most so long after it has changed, with all others that have by then. In milliseconds. */
const GATHER_MS = 100
/** What has changed less long ago waits for the next time, so that what changes at once is told once. In milliseconds. */
const LEAST_MS = 50

/** Hears of every conversation through the bus: also of those that nobody has opened since the server began. */
export function createListChanges({ bus, store, desks, clock, onError }: ListChangesDeps): ListChanges {
  /** When each conversation that is to be told of has changed first, by the clock. */
  const changedAt = new Map<string, number>()
  /** What ends the wait until they are told of; null when nobody waits. */
  let cancel: (() => void) | null = null
  const listeners = new Map<string, Set<(change: ListChange) => void>>()
  const unsubscribe = bus.subscribeToAll(({ type, conversationId }) => {
    if (type === 'entries' || type === 'grown') changed(conversationId)
  })

  function changed(conversationId: string): void {
    if (listeners.size === 0 || changedAt.has(conversationId)) return
    changedAt.set(conversationId, clock.monotonicMs())
    cancel ??= clock.after(GATHER_MS, tellDue)
  }

  function tellDue(): void {
    const now = clock.monotonicMs()
    const due = [...changedAt].filter(([, at]) => now - at >= LEAST_MS).map(([conversationId]) => conversationId)
    for (const conversationId of due) changedAt.delete(conversationId)
    cancel = changedAt.size > 0 ? clock.after(LEAST_MS, tellDue) : null
    void tell(due)
  }

  /** Rows that are read together are asked of the store together. */
  async function tell(conversationIds: readonly string[]): Promise<void> {
    const rows = new Map<string, ConversationRow[]>()
    for (const found of await Promise.all(conversationIds.map(readRow))) {
      if (found === null) continue
      const own = rows.get(found.ownerId) ?? []
      own.push(found.row)
      rows.set(found.ownerId, own)
    }
    for (const [ownerId, own] of rows) for (const listener of listeners.get(ownerId) ?? []) listener({ changed: own })
  }

  /** Null for one that is gone, that nobody listens for, or that cannot be read. */
  async function readRow(
    conversationId: string,
  ): Promise<{ readonly ownerId: string; readonly row: ConversationRow } | null> {
    try {
      const listing = await store.readListing(conversationId)
      if (!listing || !listeners.has(listing.ownerId)) return null
      return { ownerId: listing.ownerId, row: await rowOf(desks, listing) }
    } catch (error) {
      onError(error)
      return null
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
      cancel?.()
      changedAt.clear()
    },
  }
}
