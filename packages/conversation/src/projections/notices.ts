import type { EntryOf } from '../entry.ts'
import type { Projection } from '../projection.ts'

/** Something a person was told. */
export interface Notice {
  readonly seq: number
  readonly at: number
  readonly code: string
  readonly severity: EntryOf<'notice-raised'>['severity']
  readonly text: string
  readonly until: string | null
}

/** How many notices are kept at hand; the log keeps all. */
const KEPT = 50

/** The latest notices, oldest first. [RUN13] */
export const notices: Projection<readonly Notice[]> = {
  name: 'notices',
  version: 1,
  initial: [],
  reduce(state, entries) {
    const raised = entries.filter((entry) => entry.type === 'notice-raised')
    if (raised.length === 0) return state
    const added = raised.map(({ seq, at, code, severity, text, until }) => ({
      seq,
      at,
      code,
      severity,
      text,
      until: until ?? null,
    }))
    return [...state, ...added].slice(-KEPT)
  },
}
