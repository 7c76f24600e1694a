/** A projection's state at a cursor. A cache: it may be missing at any time. [PRJ2] */
export interface Snapshot {
  readonly projection: string
  /** The projection's version; a snapshot of another version is not read. */
  readonly version: number
  /** `seq` of the last entry that the state holds. */
  readonly cursor: number
  /** Plain JSON, as the projection made it. */
  readonly state: unknown
}

/** Where snapshots are kept, one for each projection of a conversation. */
export interface SnapshotStore {
  /**
   * Replaces the snapshots of these projections, unless the store has one with a later cursor.
   *
   * @throws {StoreWriteError} who keeps a cache goes on without it. [PRJ2]
   */
  writeSnapshots(conversationId: string, snapshots: readonly Snapshot[]): Promise<void>

  /** The snapshots of a conversation. One that does not read back is left out: it is a cache. */
  readSnapshots(conversationId: string): Promise<readonly Snapshot[]>
}
