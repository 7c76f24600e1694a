/** How replicas beat and drain; all in milliseconds. */
export interface ReplicaTimes {
  /** Between two beats. */
  readonly beatMs: number
  /** How long a replica counts as alive without a beat. */
  readonly expiryMs: number
  /** How long a server that ends waits for the answers that it is giving. */
  readonly drainMs: number
}

/** What is usual: a killed server's conversations go on elsewhere within five seconds. [SCALE3] */
export const REPLICA_TIMES: ReplicaTimes = { beatMs: 1_000, expiryMs: 3_000, drainMs: 10_000 }
