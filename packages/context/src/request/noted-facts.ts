import { DEFAULT_AGENT_ID, type Entry, type EntryOf } from '@holdfast/conversation'
import { headMarkSeq, type RequestHead, startSeqOf } from '../sent/request-head.ts'

type Note = EntryOf<'context-noted'>

/** Where the notes of a request are looked for, and which agent it is for; null for the agent that is there without a choice. */
export interface NotesOf {
  readonly head: RequestHead
  readonly agentId: string | null
}

/**
 * The newest note of each section that the request tells the model. What has changed since, or is not here any more
 * because the start has moved, is noted anew before the next request. [REQ6]
 */
export function notedFacts(entries: readonly Entry[], { head, agentId }: NotesOf): ReadonlyMap<Note['section'], Note> {
  const newest = new Map<Note['section'], Note>()
  for (const note of notesFrom(entries, head)) if (isFor(note, agentId)) newest.set(note.section, note)
  return newest
}

/**
 * Notes that are left out: what only another agent is told, and what a boundary leaves out because the same section was
 * noted again before it. [REQ6, AGENT4]
 */
export function leftOutNotes(entries: readonly Entry[], { head, agentId }: NotesOf): ReadonlySet<number> {
  const boundarySeq = headMarkSeq(head)
  const newest = new Map<Note['section'], number>()
  const leftOut = new Set<number>()
  for (const note of notesFrom(entries, head)) {
    if (!isFor(note, agentId)) {
      leftOut.add(note.seq)
      continue
    }
    if (note.seq > boundarySeq) continue
    const before = newest.get(note.section)
    if (before !== undefined) leftOut.add(before)
    newest.set(note.section, note.seq)
  }
  return leftOut
}

function notesFrom(entries: readonly Entry[], head: RequestHead): Note[] {
  const startSeq = startSeqOf(head)
  return entries.filter((entry): entry is Note => entry.type === 'context-noted' && entry.seq >= startSeq)
}

function isFor({ agentId: onlyAgentId }: Note, agentId: string | null): boolean {
  return onlyAgentId === undefined || onlyAgentId === (agentId ?? DEFAULT_AGENT_ID)
}
