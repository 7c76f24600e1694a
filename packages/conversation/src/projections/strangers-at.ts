import type { Projection } from '../projection.ts'

/** When the newest call began that may have brought what strangers wrote; null before the first. [PERM7] */
export const strangersAt: Projection<number | null> = {
  name: 'strangers-at',
  version: 1,
  initial: null,
  reduce(state, entries) {
    // Where nobody has said it, it may have.
    const newest = entries.findLast((entry) => entry.type === 'tool-call-started' && entry.strangers !== false)
    return newest ? newest.at : state
  },
}
