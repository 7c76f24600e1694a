import type { Projection } from '../projection.ts'

/** What the conversation is called, and who named it. */
export interface Title {
  readonly text: string | null
  readonly source: 'auto' | 'user' | null
}

/** The title. One that a person chose is never overwritten by the model's. */
export const title: Projection<Title> = {
  name: 'title',
  version: 1,
  initial: { text: null, source: null },
  reduce(state, entries) {
    let next = state
    for (const entry of entries) {
      if (entry.type !== 'title-changed') continue
      if (entry.source === 'auto' && next.source === 'user') continue
      next = { text: entry.title, source: entry.source }
    }
    return next
  },
}
