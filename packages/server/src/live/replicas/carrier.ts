/**
 * Carries texts between replicas: one inbox for each, and one channel that all hear. It may lose, repeat and delay; it keeps
 * the order of what one replica sends to another. Nothing that is only there counts: entries and drafts are in the store.
 * [SCALE2]
 */
export interface Carrier {
  /** Begins to carry. Called once, before anything is sent. */
  open(events: CarrierListener): void
  /** Whether what is sent now arrives, as far as is known. */
  isWorking(): boolean
  /** Puts a text into the inbox of a replica. Resolves when it is on its way, with false when it is known not to be. */
  sendTo(replicaId: string, text: string): Promise<boolean>
  /** Says a text to all replicas. */
  sendToAll(text: string): Promise<boolean>
  close(): Promise<void>
}

/** What comes of a carrier. */
export interface CarrierListener {
  readonly onText: (text: string) => void
  /** It works from now on, or not any more: then the reason is said. What was sent meanwhile is lost. */
  readonly onChange: (change: { readonly isWorking: boolean; readonly reason: string | null }) => void
}
