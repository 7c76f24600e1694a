/** The right to run a conversation, until it ends or is taken over. */
export interface Lease {
  readonly conversationId: string
  readonly holder: string
  /** Grows by one with every new holder; entries of a run carry it. [LOG10] */
  readonly epoch: number
  /** The end of its own time, in milliseconds since the Unix epoch, by the store's clock. */
  readonly expiresAt: number
}

/**
 * Who runs what. One holder at a time for each conversation. [LOG10]
 *
 * A lease expires when its own time has passed. Where the store knows its holder as a replica, it holds by that replica's
 * beats instead: no longer than they last, and for as long as they do; of one that drains, no longer than its own time. [SCALE1]
 */
export interface LeaseStore {
  /**
   * Takes the lease when nobody holds it or it has expired, with a higher epoch than any before.
   * The last holder gets it again with its epoch unchanged and a later end, also when it has run out, unless it was given
   * back or taken by another. A clock that is set must not end a lease; a process that stood still may find it taken.
   *
   * @returns the lease, or null when another holds it.
   */
  acquireLease(request: LeaseRequest): Promise<Lease | null>

  /**
   * Gives the lease back. Does nothing when the epoch is over.
   *
   * @returns false where the log does not end at the `head` that is named: the lease is held as before, for what was written
   *   behind that head was left to its holder. [SCALE24]
   */
  releaseLease(lease: LeaseReturn): Promise<boolean>

  /**
   * Ends every lease that is held, without giving it back. Only for a process that knows that it is alone, such
   * as the owner of a data folder: what a killed process ran can be recovered at once.
   */
  endLeases(): Promise<void>

  /**
   * The conversations whose lease has expired without being given back: their runs need recovery. Where several replicas may
   * ask at a time, each is told another part first.
   */
  expiredLeases(limit: number): Promise<readonly Lease[]>
}

/** Which lease goes back. */
export interface LeaseReturn extends Pick<Lease, 'conversationId' | 'epoch'> {
  /** The last entry that its holder knows of; absent: it goes back whatever was written. */
  readonly head?: number
}

/** What a replica asks for. */
export interface LeaseRequest {
  readonly conversationId: string
  /** Names the replica's process; another process has another name, also after a restart. */
  readonly holder: string
  /** Its own time, from here: how long it holds without being renewed. */
  readonly ttlMs: number
}
