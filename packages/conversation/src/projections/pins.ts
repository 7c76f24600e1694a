import type { Projection } from '../projection.ts'

/** The messages that every checkpoint carries over, by `seq`, rising. They do not move with the path. [CHK4, PRJ6] */
export const pins: Projection<readonly number[]> = {
  name: 'pins',
  version: 1,
  initial: [],
  reduce(state, entries) {
    if (!entries.some(({ type }) => type === 'pin-changed')) return state
    const pinned = new Set(state)
    for (const entry of entries) {
      if (entry.type !== 'pin-changed') continue
      if (entry.isPinned) pinned.add(entry.messageSeq)
      else pinned.delete(entry.messageSeq)
    }
    return [...pinned].sort((one, other) => one - other)
  },
}
