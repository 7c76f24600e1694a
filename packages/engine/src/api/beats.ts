/** The epochs of the leases that this process holds, by conversation. */
export type HeldEpochs = ReadonlyMap<string, number>

/** What the beats of this process found, as one of several replicas on a store. Listeners neither throw nor wait. [SCALE1] */
export interface Beats {
  /**
   * Calls when this process may have counted as gone since its last beat, because it stood still or could not reach the store,
   * and the store knows it again. What it held and does not hold any more was taken by another. Only who listened before that
   * was asked is told: a lease that is taken later stands in no answer. Returns the way to end that.
   */
  onReturn(listener: (held: HeldEpochs) => void): () => void
  /** Calls when leases of a replica that is gone, or hands over, wait to be taken; again with each beat until none does. */
  onWorkLeft(listener: () => void): () => void
}
