/** How a run ends, for a person. */
export interface Ending {
  readonly outcome: 'completed' | 'stopped' | 'failed' | 'interrupted' | 'limit'
  readonly reason?: string
  /** Names a limit that a person can raise at once. [COST7] */
  readonly limit?: 'budget'
}
