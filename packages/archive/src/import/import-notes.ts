import type { ImportEvent } from './import-event.ts'
import type { NoteSkip, Skip, SkipReason } from './skip.ts'

/** Of each reason so many are named with their lines; all are counted. */
const NAMED = 100

/** What is left over when only the conversation itself is of interest: it is not said in the log. */
const HOUSEKEEPING: ReadonlySet<SkipReason> = new Set([
  'not-conversation',
  'repeated',
  'instructions',
  'already-imported',
  'before-date',
  'changed-here',
  'changed-source',
])

/** Collects what is left out, in bounded memory. */
export interface ImportNotes {
  /** The line that is read. */
  line: number | null
  readonly note: NoteSkip
  readonly counts: Partial<Record<SkipReason, number>>
  readonly skips: Skip[]
  /** How much of the conversation itself was left out so far. */
  contentCount(): number
  /** What was noted and named since it was last asked. */
  take(): ImportEvent[]
}

/** Makes the notes of one import. */
export function createImportNotes(): ImportNotes {
  const counts: Partial<Record<SkipReason, number>> = {}
  const skips: Skip[] = []
  let fresh: ImportEvent[] = []
  let content = 0
  const notes: ImportNotes = {
    line: null,
    counts,
    skips,
    contentCount: () => content,
    note({ reason, what }) {
      const count = (counts[reason] ?? 0) + 1
      counts[reason] = count
      if (!HOUSEKEEPING.has(reason)) content++
      if (count > NAMED) return
      const skip = { reason, line: notes.line, what: what.slice(0, 300) }
      skips.push(skip)
      fresh.push({ type: 'skipped', skip })
    },
    take() {
      const taken = fresh
      fresh = []
      return taken
    },
  }
  return notes
}
