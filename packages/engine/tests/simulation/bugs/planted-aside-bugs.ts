import type { PlantedBug } from './planted-bug.ts'
import { changedEntries } from './planted-store.ts'

/** Bugs of summaries and titles that the simulation must find. */
export const PLANTED_ASIDE_BUGS: readonly PlantedBug[] = [
  {
    name: 'begins a title in the place of a turn',
    store: changedEntries((entry) =>
      entry.type === 'run-started' && entry.purpose === 'title' ? [{ ...entry, purpose: 'turn' }] : [entry],
    ),
  },
  {
    name: 'loses the summary that was made',
    store: changedEntries((entry) => (entry.type === 'checkpoint-made' && entry.source !== 'edit' ? [] : [entry])),
  },
  {
    name: 'keeps other words than the summary has',
    store: changedEntries((entry) =>
      entry.type === 'checkpoint-made' && entry.source !== 'edit' ? [{ ...entry, summary: 'Nothing' }] : [entry],
    ),
  },
  {
    name: 'summarises a part of an exchange',
    store: changedEntries((entry) =>
      entry.type === 'checkpoint-made'
        ? [{ ...entry, coversToSeq: entry.coversToSeq + 2, keptFromSeq: entry.keptFromSeq + 2 }]
        : [entry],
    ),
  },
  {
    name: 'takes the title of the person for its own',
    store: changedEntries((entry) =>
      entry.type === 'title-changed' && entry.source === 'user' ? [{ ...entry, source: 'auto' }] : [entry],
    ),
  },
]
