import type { Projection } from '../projection.ts'

/** The results that a person left out of requests, by `seq`, rising. They do not move with the path. [TOOL10, PRJ6] */
export const exclusions: Projection<readonly number[]> = {
  name: 'exclusions',
  version: 1,
  initial: [],
  reduce(state, entries) {
    if (!entries.some(({ type }) => type === 'exclusion-changed')) return state
    const excluded = new Set(state)
    for (const entry of entries) {
      if (entry.type !== 'exclusion-changed') continue
      if (entry.isExcluded) excluded.add(entry.resultSeq)
      else excluded.delete(entry.resultSeq)
    }
    return [...excluded].sort((one, other) => one - other)
  },
}
