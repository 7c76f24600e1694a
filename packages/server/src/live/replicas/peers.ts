import type { Clock } from '@holdfast/conversation'
import type { Carrier, CarrierListener } from './carrier.ts'
import { createFollowedElsewhere } from './followed-elsewhere.ts'
import { createOutboxes } from './outboxes.ts'
import { type PeerMessage, readParcel } from './peer-message.ts'

/** What one conversation's followers elsewhere are told, or all replicas. */
export type PeerNews = Extract<PeerMessage, { readonly conversationId: string }>

/** The other replicas, as the carrier reaches them: what is followed here is said to them, and what is followed there is known. */
export interface Peers {
  /** Whether what is said now arrives, as far as is known. */
  areReached(): boolean
  /** Somebody here begins to follow, or the last one ends. */
  begin(conversationId: string): void
  end(conversationId: string): void
  /** Tells the replicas at which the conversation is followed. */
  tellFollowers(news: PeerNews): void
  tellAll(news: PeerNews): void
  /** Called at every round: says again what is followed here, and forgets what was not said again elsewhere. */
  round(): void
  close(): void
}

/** What they are reached with. */
export interface PeersDeps {
  readonly replicaId: string
  readonly carrier: Carrier
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>
  /** What is followed here. */
  readonly followed: () => Iterable<string>
  readonly onNews: (news: PeerNews) => void
  /** Something that was said may not have come. */
  readonly onMissed: () => void
  readonly onCarrier: CarrierListener['onChange']
}

/** What is followed here is said again after so long. In milliseconds. */
const RENEW_MS = 5_000

/** So long holds what another replica follows, unless it says it again. In milliseconds. */
const HOLDS_MS = 15_000

/** So many ids go into one message. */
const MOST_IDS = 10_000

/** Opens the carrier. */
export function openPeers(deps: PeersDeps): Peers {
  const { replicaId, carrier, clock, onNews, onMissed } = deps
  const elsewhere = createFollowedElsewhere(clock, HOLDS_MS)
  const outboxes = createOutboxes({ carrier, replicaId, clock })
  let renewedAt = clock.monotonicMs()

  carrier.open({
    onText(text) {
      const parcel = readParcel(text)
      if (parcel === null || parcel.from === replicaId) return
      for (const message of parcel.messages) hear(parcel.from, message)
    },
    onChange(change) {
      if (change.isWorking) {
        outboxes.putToAll({ type: 'joined' })
        renew()
      }
      onMissed()
      deps.onCarrier(change)
    },
  })

  function hear(from: string, message: PeerMessage): void {
    switch (message.type) {
      case 'follows':
        if (message.isWhole) elsewhere.followsOnly(from, message.conversationIds)
        else elsewhere.follows(from, message.conversationIds)
        return
      case 'unfollows':
        elsewhere.unfollows(from, message.conversationIds)
        return
      case 'joined':
        for (const follows of ownFollows()) outboxes.put([from], follows)
        onMissed()
        return
      case 'left-out':
        onMissed()
        return
      case 'grown':
      case 'delta':
      case 'draft-kept':
      case 'erased':
      case 'write-failed':
      case 'progress':
        onNews(message)
        return
    }
  }

  function renew(): void {
    renewedAt = clock.monotonicMs()
    for (const follows of ownFollows()) say(follows)
  }

  function ownFollows(): readonly PeerMessage[] {
    const ids = [...deps.followed()]
    const count = Math.max(1, Math.ceil(ids.length / MOST_IDS))
    return Array.from({ length: count }, (_, index) => ({
      type: 'follows',
      conversationIds: ids.slice(index * MOST_IDS, (index + 1) * MOST_IDS),
      isWhole: count === 1,
    }))
  }

  function say(message: PeerMessage): void {
    if (carrier.isWorking()) outboxes.putToAll(message)
  }

  return {
    areReached: () => carrier.isWorking(),
    begin: (conversationId) => say({ type: 'follows', conversationIds: [conversationId], isWhole: false }),
    end: (conversationId) => say({ type: 'unfollows', conversationIds: [conversationId] }),
    tellFollowers(news) {
      if (!carrier.isWorking()) return
      const replicas = elsewhere.replicasOf(news.conversationId)
      if (replicas.size > 0) outboxes.put(replicas, news)
    },
    tellAll: say,
    round() {
      elsewhere.sweep()
      if (clock.monotonicMs() - renewedAt >= RENEW_MS) renew()
    },
    close: outboxes.close,
  }
}
