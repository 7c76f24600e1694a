import type { Clock, ConversationIndex } from '@holdfast/conversation'
import type { LiveBus } from '@holdfast/engine'
import type { ConversationRow } from '@holdfast/protocol'
import type { Desks } from './desks.ts'
import { rowOf } from './row-of.ts'

/** Tells the tabs of a user which rows of the list have changed. [SYNC4] */
export interface ListChanges {
  /** Watches a conversation from now until it is quiet. Called for all that is followed or commanded. */
  watch(conversationId: string): void
  /** Something changed that may have happened before it was watched. */
  changed(conversationId: string): void
  /** @returns a function that ends the subscription. */
  subscribe(userId: string, listener: (row: ConversationRow) => void): () => void
  close(): void
}

/** What it needs. */
export interface ListChangesDeps {
  readonly bus: LiveBus
  readonly store: Pick<ConversationIndex, 'readListing'>
  readonly desks: Pick<Desks, 'readMark'>
  readonly clock: Clock
  /** Called when a row cannot be read; the next change tries again. */
  readonly onError: (error: unknown) => void
}

/** Changes within this time are told as one, in milliseconds. */
const GATHER_MS = 100

/** A conversation without a run that has been quiet this long is not watched any more, in milliseconds. */
const QUIET_MS = 60_000

interface Watch {
  cancelGather: (() => void) | null
  cancelQuiet: () => void
  unsubscribe: () => void
}

/** Watches each touched conversation through the bus. */
export function createListChanges({ bus, store, desks, clock, onError }: ListChangesDeps): ListChanges {
  const watches = new Map<string, Watch>()
  const listeners = new Map<string, Set<(row: ConversationRow) => void>>()

  function watch(conversationId: string): void {
    const known = watches.get(conversationId)
    if (known) {
      rearm(conversationId, known)
      return
    }
    const unsubscribe = bus.subscribe(conversationId, (message) => {
      if (message.type === 'entries') changed(conversationId)
    })
    watches.set(conversationId, { cancelGather: null, cancelQuiet: whenQuiet(conversationId), unsubscribe })
  }

  function rearm(conversationId: string, known: Watch): void {
    known.cancelQuiet()
    known.cancelQuiet = whenQuiet(conversationId)
  }

  function whenQuiet(conversationId: string): () => void {
    return clock.after(QUIET_MS, () => void release(conversationId))
  }

  function changed(conversationId: string): void {
    const known = watches.get(conversationId)
    if (!known) return
    rearm(conversationId, known)
    known.cancelGather ??= clock.after(GATHER_MS, () => {
      known.cancelGather = null
      void tell(conversationId)
    })
  }

  async function tell(conversationId: string): Promise<void> {
    try {
      const listing = await store.readListing(conversationId)
      const watching = listing && listeners.get(listing.ownerId)
      if (!watching) return
      const row = await rowOf(desks, listing)
      for (const listener of watching) listener(row)
    } catch (error) {
      onError(error)
    }
  }

  async function release(conversationId: string): Promise<void> {
    const known = watches.get(conversationId)
    if (!known) return
    try {
      const row = await store.readListing(conversationId)
      const isOpen = row?.state === 'running' || row?.state.startsWith('waiting-for-') === true
      if (isOpen) rearm(conversationId, known)
      else forget(conversationId, known)
    } catch (error) {
      rearm(conversationId, known)
      onError(error)
    }
  }

  function forget(conversationId: string, known: Watch): void {
    known.cancelGather?.()
    known.cancelQuiet()
    known.unsubscribe()
    watches.delete(conversationId)
  }

  return {
    watch,
    changed,
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
      for (const [conversationId, known] of watches) forget(conversationId, known)
    },
  }
}
