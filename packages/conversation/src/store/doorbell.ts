/** What a replica tells the others of a conversation: that something is there to be read, and never what. [SCALE11] */
export type Ring =
  /** Its log has entries up to `head`. */
  | { readonly type: 'grown'; readonly conversationId: string; readonly head: number }
  /** More of its open step is durable. */
  | { readonly type: 'draft-kept'; readonly conversationId: string }
  /** Words of its log were erased. [LOG9] */
  | { readonly type: 'erased'; readonly conversationId: string }

/**
 * Tells the replicas on one store that there is something to read. It may lose, repeat and reorder rings: who misses one
 * reads a little later. An implementer bounds what waits to be told, and joins what is rung in one moment.
 */
export interface Doorbell {
  /** Tells all other replicas. It never throws; what cannot be told now is told later, or not at all. */
  ring(ring: Ring): void
  /** Whether rings of others are heard now. Where not, who needs them looks by itself. */
  isHeard(): boolean
  close(): Promise<void>
}

/** What a replica hears. */
export interface DoorbellListener {
  readonly onRing: (ring: Ring) => void
  /** Rings of others may have been missed until now. */
  readonly onMissed: () => void
  /** It is heard from now on, or not any more: then the reason is said. */
  readonly onChange: (change: { readonly isHeard: boolean; readonly reason: string | null }) => void
}
