import type { Projection } from '../projection.ts'

/** Names of the tools that the model has searched for and found, each once, in the order of finding. [TOOL10] */
export const foundTools: Projection<readonly string[]> = {
  name: 'found-tools',
  version: 1,
  initial: [],
  reduce(state, entries) {
    const found = new Set(state)
    for (const entry of entries) {
      if (entry.type !== 'tool-call-settled') continue
      for (const name of entry.foundTools ?? []) found.add(name)
    }
    return found.size === state.length ? state : [...found]
  },
}
