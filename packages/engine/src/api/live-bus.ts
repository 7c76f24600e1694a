import type { DraftDelta, Entry } from '@holdfast/conversation'

/** What happens to a conversation while someone looks. */
export type LiveMessage =
  /** Entries that are durable, oldest first, without gaps among them. */
  | { readonly type: 'entries'; readonly conversationId: string; readonly entries: readonly Entry[] }
  /** Another replica wrote entries into a conversation that nobody here follows: they are in its log. [SCALE2] */
  | { readonly type: 'grown'; readonly conversationId: string }
  | { readonly type: 'delta'; readonly conversationId: string; readonly delta: DraftDelta }
  /** Deltas that are durable now, neighbours joined: what a crash does not take back. [RUN3] */
  | { readonly type: 'kept-deltas'; readonly conversationId: string; readonly deltas: readonly DraftDelta[] }
  /** Words of the log were erased: whoever has read it reads it anew. [LOG9] */
  | { readonly type: 'erased'; readonly conversationId: string }
  /**
   * A write was refused, so that what happens from here on may not be kept. It holds until entries come again. [LOG8]
   */
  | { readonly type: 'write-failed'; readonly conversationId: string; readonly message: string }
  /** What a running tool says of how far it is. It is not kept. */
  | { readonly type: 'progress'; readonly conversationId: string; readonly callId: string; readonly message: string }

/**
 * Carries live messages to whoever follows. It may lose, repeat and reorder them: a follower that misses
 * an entry reads the log, and one that misses a delta reads the draft. It never carries an entry that is
 * not durable.
 */
export interface LiveBus {
  publish(message: LiveMessage): void
  /** A listener must not throw: whoever publishes would fail by it. @returns a function that ends the subscription. */
  subscribe(conversationId: string, listener: (message: LiveMessage) => void): () => void
  /** Hears of every conversation. @returns a function that ends the subscription. */
  subscribeToAll(listener: (message: LiveMessage) => void): () => void
  /**
   * Whether what other replicas write into a conversation that is subscribed to is told as it happens. Where not, who waits for
   * it looks often, and seldom all the same where it is: a message may be lost. [STOP2]
   */
  tellsOfOthers(): boolean
}
