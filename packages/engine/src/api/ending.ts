/** How a run ends, for a person. */
export interface Ending {
  readonly outcome: 'completed' | 'stopped' | 'failed' | 'interrupted' | 'limit'
  readonly reason?: string
  /** Names a limit that can be raised at once: by the person, or for the budget of a user by an admin. [COST7] */
  readonly limit?: 'budget' | 'user-budget' | 'schedule-budget'
}
