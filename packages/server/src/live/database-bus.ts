import {
  type Clock,
  type ConversationIndex,
  type DraftStore,
  type EntryLog,
  entriesAfter,
} from '@holdfast/conversation'
import type { LiveBus, LiveMessage } from '@holdfast/engine'

/** What it looks at, and how often. */
export interface DatabaseBusDeps {
  /** Carries what this process publishes. */
  readonly bus: LiveBus
  readonly store: Pick<EntryLog, 'read'> & Pick<DraftStore, 'readDrafts'> & Pick<ConversationIndex, 'readListing'>
  readonly clock: Pick<Clock, 'after'>
  /** Between two looks at a conversation, in milliseconds. */
  readonly lookMs: number
  /** Called when a conversation cannot be read, once until it can be again. Each look tries. */
  readonly onError: (error: unknown) => void
}

/** What is known of a conversation that somebody here follows. */
interface Watched {
  followers: number
  /** `seq` of the last entry that was published here. */
  head: number
  /** Whether it was looked at. */
  isKnown: boolean
  /** Whether something runs in it, here or elsewhere. */
  isRunning: boolean
  /** Whether this process published something of it since the last look: then it runs here. */
  isHeard: boolean
  /** The open step and how many of its stored deltas were published. */
  draft: { readonly stepId: string; readonly count: number } | null
  isFailing: boolean
  cancel: () => void
}

/** As many entries are read at once. */
const PAGE_ENTRIES = 200

/** After every entry there can be. */
const BEHIND_ALL = Number.MAX_SAFE_INTEGER - 1

/**
 * The live bus of one of several servers on one database: what the others write into conversations that somebody follows
 * here is looked for. Entries come within a look, and of a reply what is durable. [SYNC1]
 */
export function createDatabaseBus({ bus, store, clock, lookMs, onError }: DatabaseBusDeps): LiveBus {
  const watched = new Map<string, Watched>()

  function note(own: Watched, message: LiveMessage): void {
    if (message.type !== 'entries') return
    own.head = Math.max(own.head, message.entries.at(-1)?.seq ?? 0)
    for (const { type } of message.entries) {
      if (type === 'run-started') own.isRunning = true
      if (type === 'run-finished') own.isRunning = false
    }
  }

  function plan(conversationId: string, own: Watched): void {
    own.cancel = clock.after(lookMs, () => void lookAndPlan(conversationId, own))
  }

  async function lookAndPlan(conversationId: string, own: Watched): Promise<void> {
    try {
      if (own.isHeard) own.isHeard = false
      else await look(conversationId, own)
      own.isFailing = false
    } catch (error) {
      if (!own.isFailing) onError(error)
      own.isFailing = true
    }
    if (own.followers > 0) plan(conversationId, own)
  }

  async function look(conversationId: string, own: Watched): Promise<void> {
    if (!own.isKnown) {
      own.isRunning = (await store.readListing(conversationId))?.state === 'running'
      // Whoever began to follow before this entry was there reads what it misses.
      const { entries, head } = await store.read({ conversationId, before: BEHIND_ALL, limit: 1 })
      tell(own, { type: 'entries', conversationId, entries })
      own.head = head
      own.isKnown = true
    }
    const news = { conversationId, after: own.head, pageEntries: PAGE_ENTRIES }
    for await (const { entries } of entriesAfter(store, news))
      if (entries.length > 0) tell(own, { type: 'entries', conversationId, entries })
    if (own.isRunning) await lookAtDraft(conversationId, own)
  }

  /** A follower has read the draft when it began; what it knows already changes nothing. */
  async function lookAtDraft(conversationId: string, own: Watched): Promise<void> {
    const draft = (await store.readDrafts(conversationId)).at(-1)
    if (!draft) return
    const { stepId, deltas } = draft
    const count = own.draft?.stepId === stepId ? own.draft.count : 0
    own.draft = { stepId, count: deltas.length }
    for (const delta of deltas.slice(count)) tell(own, { type: 'delta', conversationId, delta })
    if (deltas.length > count) tell(own, { type: 'kept-deltas', conversationId, deltas: deltas.slice(count) })
  }

  function tell(own: Watched, message: LiveMessage): void {
    note(own, message)
    bus.publish(message)
  }

  return {
    publish(message) {
      const own = watched.get(message.conversationId)
      if (own) {
        own.isHeard = true
        note(own, message)
      }
      bus.publish(message)
    },
    subscribe(conversationId, listener) {
      const unsubscribe = bus.subscribe(conversationId, listener)
      const known = watched.get(conversationId)
      const own = known ?? {
        followers: 0,
        head: 0,
        isKnown: false,
        isRunning: false,
        isHeard: false,
        draft: null,
        isFailing: false,
        cancel: () => {},
      }
      own.followers += 1
      if (!known) {
        watched.set(conversationId, own)
        plan(conversationId, own)
      }
      let isOpen = true
      return () => {
        unsubscribe()
        if (!isOpen) return
        isOpen = false
        own.followers -= 1
        if (own.followers > 0) return
        own.cancel()
        watched.delete(conversationId)
      }
    },
    subscribeToAll: bus.subscribeToAll,
  }
}
