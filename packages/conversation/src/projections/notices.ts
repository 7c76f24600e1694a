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
  /** The run that it is about; null for none. */
  readonly runId: string | null
}

/** Of how many codes the newest notice is kept at hand; the log keeps all. */
const KEPT = 200

/** The newest notice of each code, oldest first: what was told, however much was told since. [RUN13] */
export const notices: Projection<readonly Notice[]> = {
  name: 'notices',
  version: 2,
  initial: [],
  reduce(state, entries) {
    const raised = entries.filter((entry) => entry.type === 'notice-raised')
    if (raised.length === 0) return state
    const newest = new Map(state.map((notice) => [notice.code, notice]))
    for (const { seq, at, code, severity, text, until, runId } of raised) {
      newest.delete(code)
      newest.set(code, { seq, at, code, severity, text, until: until ?? null, runId: runId ?? null })
    }
    return [...newest.values()].slice(-KEPT)
  },
}
