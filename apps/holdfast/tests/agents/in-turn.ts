const IS_FULL = process.env['HOLDFAST_FULL'] === '1'

/**
 * The agents that play a scenario: a process of opencode takes six seconds of a processor, so that every run has the one whose turn it is,
 * and the full count, as `npm run agents`, has them all.
 */
export function inTurn<Agent>(agents: readonly Agent[], turn: number): readonly Agent[] {
  return IS_FULL ? agents : agents.filter((_, at) => at === turn % agents.length)
}
