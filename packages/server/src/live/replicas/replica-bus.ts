import type { Clock, Doorbell, Draft, Ring } from '@holdfast/conversation'
import type { LiveBus, LiveMessage } from '@holdfast/engine'
import type { Carrier, CarrierListener } from './carrier.ts'
import { createFewAtATime } from './few-at-a-time.ts'
import { createFollowedConversation, type FollowedConversation, type FollowedDeps } from './followed-conversation.ts'
import { openPeers, type PeerNews } from './peers.ts'
import { tellOthers } from './tell-others.ts'

/** The live bus of one of several replicas on one store. */
export interface ReplicaBus extends LiveBus {
  /** The open step of a run at another replica, where it is followed here; null where none is known. */
  openDraft(conversationId: string): Draft | null
  /** Hears what others ring; called by the doorbell's events. */
  hearRing(ring: Ring): void
  /** Rings or messages may have been missed: what is followed is looked at. */
  missed(): void
  close(): void
}

/** What it is made of. */
export interface ReplicaBusDeps {
  /** Names this replica among those on the store. */
  readonly replicaId: string
  /** Carries what happens in this process. */
  readonly bus: LiveBus
  readonly store: FollowedDeps['store']
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>
  /** Rings at the others, over the store; it is asked for when it is needed. */
  readonly doorbell: () => Pick<Doorbell, 'ring' | 'isHeard'>
  /** Brings deltas at once; null where there is nothing but the store. */
  readonly carrier: Carrier | null
  /** Called when the carrier begins to work, or does not any more. */
  readonly onCarrier: CarrierListener['onChange']
  /** Called when a followed conversation cannot be read, once until it can be again. */
  readonly onError: (error: unknown) => void
}

/** Between two rounds, at which it is seen what is to be looked at. In milliseconds. */
const ROUND_MS = 500

/** Between two looks at conversations in which nothing runs, one at a time, while others tell of what they write. In milliseconds. */
const QUIET_MS = 5_000

/** So many conversations are looked at at a time: others need the store too. */
const MOST_LOOKS = 4

/**
 * What others write into conversations that are followed here is told here, and what is written here is told to the others.
 *
 * A doorbell rings with every entry, and readers go to the store. A carrier brings deltas to the replicas that said they
 * follow, and says besides what was rung. Both may lose: a run of which nothing comes is looked at. Who follows at the owner's
 * replica needs neither. [SCALE2, SYNC1]
 */
export function createReplicaBus(deps: ReplicaBusDeps): ReplicaBus {
  const { replicaId, bus, store, clock, doorbell, carrier, onCarrier, onError } = deps
  const followed = new Map<string, { readonly conversation: FollowedConversation; followers: number }>()
  const inLine = createFewAtATime(MOST_LOOKS)
  const peers =
    carrier &&
    openPeers({ replicaId, carrier, clock, followed: () => followed.keys(), onNews: hear, onMissed: missed, onCarrier })
  let cancelRound: (() => void) | null = null
  let lookedAtQuietAt = clock.monotonicMs()

  function hear(news: PeerNews | Ring): void {
    const { conversationId } = news
    const conversation = followed.get(conversationId)?.conversation
    switch (news.type) {
      case 'grown':
        if (conversation) conversation.grown(news.head)
        else bus.publish({ type: 'grown', conversationId })
        return
      case 'delta':
        conversation?.stream(news)
        return
      case 'draft-kept':
        if ('stepId' in news) conversation?.stream(news)
        else conversation?.draftKept()
        return
      case 'erased':
      case 'write-failed':
      case 'progress':
        if (conversation) bus.publish(news)
        return
    }
  }

  function missed(): void {
    for (const { conversation } of followed.values()) conversation.unsettle()
  }

  function planRound(): void {
    cancelRound ??= clock.after(ROUND_MS, () => {
      cancelRound = null
      const isTold = doorbell().isHeard()
      peers?.round()
      for (const { conversation } of followed.values()) conversation.round(isTold)
      if (isTold) lookAtNext()
      planRound()
    })
  }

  /** One after the other, whatever is known of it: a ring may be lost without anybody's knowing. */
  function lookAtNext(): void {
    const now = clock.monotonicMs()
    const [next] = followed
    if (!next || now - lookedAtQuietAt < QUIET_MS) return
    lookedAtQuietAt = now
    const [conversationId, own] = next
    followed.delete(conversationId)
    followed.set(conversationId, own)
    own.conversation.look()
  }

  function begin(conversationId: string): { readonly conversation: FollowedConversation; followers: number } {
    const tell = (message: LiveMessage) => bus.publish(message)
    const made = { conversationId, store, clock, tell, inLine, roundMs: ROUND_MS, onError }
    const own = { conversation: createFollowedConversation(made), followers: 0 }
    followed.set(conversationId, own)
    peers?.begin(conversationId)
    planRound()
    return own
  }

  function end(conversationId: string): void {
    followed.get(conversationId)?.conversation.close()
    followed.delete(conversationId)
    peers?.end(conversationId)
    if (followed.size > 0) return
    cancelRound?.()
    cancelRound = null
  }

  return {
    publish(message) {
      const isNews = followed.get(message.conversationId)?.conversation.note(message) ?? true
      bus.publish(message)
      if (isNews) tellOthers({ doorbell: doorbell(), peers }, message)
    },
    subscribe(conversationId, listener) {
      const unsubscribe = bus.subscribe(conversationId, listener)
      const own = followed.get(conversationId) ?? begin(conversationId)
      own.followers += 1
      let isOpen = true
      return () => {
        unsubscribe()
        if (!isOpen) return
        isOpen = false
        own.followers -= 1
        if (own.followers === 0) end(conversationId)
      }
    },
    subscribeToAll: bus.subscribeToAll,
    tellsOfOthers: () => doorbell().isHeard(),
    openDraft: (conversationId) => followed.get(conversationId)?.conversation.openDraft() ?? null,
    hearRing: hear,
    missed,
    close() {
      cancelRound?.()
      peers?.close()
      for (const { conversation } of followed.values()) conversation.close()
    },
  }
}
