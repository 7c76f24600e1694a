/** The first pause, and the longest, in milliseconds. */
const SHORTEST_MS = 250
const LONGEST_MS = 30_000

/** A worker that served for so long has not failed at its start, in milliseconds. */
const GOOD_LIFE_MS = 30_000

/** How often in a row a worker has ended too soon, with this end. */
export function endsInRow(before: number, lifeMs: number): number {
  return lifeMs >= GOOD_LIFE_MS ? 1 : before + 1
}

/** How long it is waited before the next one is started, in milliseconds: twice as long after each that ended too soon. [SCALE22] */
export function restartPauseMs(inRow: number): number {
  return Math.min(LONGEST_MS, SHORTEST_MS * 2 ** (inRow - 1))
}
