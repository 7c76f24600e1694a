import type { Entry, EntryOf } from '@holdfast/conversation'
import { headMarkSeq, type RequestHead, startSeqOf } from './request-head.ts'

type Note = EntryOf<'context-noted'>

/**
 * The newest note of each section that the request tells the model. What has changed since, or is not here any more
 * because the start has moved, is noted anew before the next request. [REQ6]
 */
export function notedFacts(entries: readonly Entry[], head: RequestHead): ReadonlyMap<Note['section'], Note> {
  const newest = new Map<Note['section'], Note>()
  for (const note of notesFrom(entries, head)) newest.set(note.section, note)
  return newest
}

/** Notes that a boundary leaves out because the same section was noted again before it. [REQ6] */
export function replacedNotes(entries: readonly Entry[], head: RequestHead): ReadonlySet<number> {
  const boundarySeq = headMarkSeq(head)
  const newest = new Map<Note['section'], number>()
  const replaced = new Set<number>()
  for (const note of notesFrom(entries, head)) {
    if (note.seq > boundarySeq) break
    const before = newest.get(note.section)
    if (before !== undefined) replaced.add(before)
    newest.set(note.section, note.seq)
  }
  return replaced
}

function notesFrom(entries: readonly Entry[], head: RequestHead): Note[] {
  const startSeq = startSeqOf(head)
  return entries.filter((entry): entry is Note => entry.type === 'context-noted' && entry.seq >= startSeq)
}
