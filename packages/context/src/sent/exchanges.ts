import type { Entry } from '@holdfast/conversation'
import { isAnswering } from './sent-steps.ts'

/** An input and its answer: the unit in which the window moves. */
export interface Exchange {
  readonly runId: string
  /** Its first entry. */
  readonly startSeq: number
  /** The last entry before the next exchange. */
  readonly endSeq: number
  /** What people said in it: the input first, then what steered; not what a checkpoint carries over. */
  readonly inputSeqs: readonly number[]
  /** Entries that begin a request of its answer. */
  readonly stepSeqs: readonly number[]
}

/**
 * The exchanges of a path, oldest first. One begins with its run; what is said while the run answers belongs to it,
 * and so does all that stands before the next one. [WIN2]
 */
export function exchangesOf(entries: readonly Entry[]): Exchange[] {
  const starts = new Map<string, number>()
  const open: { runId: string; startSeq: number; endSeq: number; inputSeqs: number[]; stepSeqs: number[] }[] = []
  for (const entry of entries) {
    const last = open.at(-1)
    if (entry.type === 'run-started' && isAnswering(entry.purpose)) starts.set(entry.runId, entry.seq)
    const beginning = beginningOf(entry)
    if (beginning?.isInput) {
      const { runId } = beginning
      if (last?.runId === runId) last.inputSeqs.push(entry.seq)
      else {
        const startSeq = starts.get(runId) ?? entry.seq
        if (last) last.endSeq = startSeq - 1
        open.push({ runId, startSeq, endSeq: entry.seq, inputSeqs: [entry.seq], stepSeqs: [] })
        continue
      }
    }
    const step = beginning?.isInput === false ? beginning : null
    // A checkpoint may have cut inside a run: what is left of it is the first exchange, its input is carried over.
    if (!last && step)
      open.push({ runId: step.runId, startSeq: entry.seq, endSeq: entry.seq, inputSeqs: [], stepSeqs: [entry.seq] })
    if (!last) continue
    last.endSeq = entry.seq
    if (step) last.stepSeqs.push(entry.seq)
  }
  return open
}

/** What an entry may begin an exchange by: what a person said, or a request whose input stands further back; null for neither. */
export function beginningOf(entry: Entry): { readonly runId: string; readonly isInput: boolean } | null {
  if (entry.type === 'user-message-sent') return { runId: entry.runId, isInput: true }
  if (entry.type === 'body-erased' && entry.erasedType === 'user-message-sent')
    return { runId: entry.of.runId ?? '', isInput: true }
  if (entry.type === 'step-started' && isAnswering(entry.purpose)) return { runId: entry.runId, isInput: false }
  return null
}
