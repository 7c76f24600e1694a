import type { Entry } from './entry.ts'
import { answersIn, answersOn, callsOf, isCanvasNote, isMadeTitle, isSideRequest } from './erasure.ts'

/** The entries of a log that an erasure may touch, gathered without holding the log. */
export interface ErasureCandidates {
  /**
   * Takes what belongs to them from a part of the log. The log is walked again as long as it answers true: what was
   * found then may lead to entries that were passed already.
   */
  take(entries: readonly Entry[]): boolean
  /** What was found so far, in no order. */
  found(): readonly Entry[]
}

/**
 * Begins with the entries that an erasure names and all checkpoints of the log; the runs of all requests for a title or a
 * summary are among them. What `entriesToErase` says of the candidates is what it says of the whole log: copies of
 * words go from entry to entry by inputs, runs, calls and answers on the canvas alone.
 */
export function erasureCandidates(first: readonly Entry[]): ErasureCandidates {
  const bySeq = new Map(first.map((entry) => [entry.seq, entry]))
  const names = new Set(first.flatMap(namesOf))
  return {
    take(entries) {
      const before = names.size
      for (const entry of entries) {
        if (bySeq.has(entry.seq)) continue
        const own = namesOf(entry)
        const isSide = entry.type === 'step-started' && isSideRequest(entry.purpose)
        if (!isSide && !isCanvasNote(entry) && !isMadeTitle(entry) && !own.some((name) => names.has(name))) continue
        bySeq.set(entry.seq, entry)
        for (const name of own) names.add(name)
      }
      return names.size > before
    },
    found: () => [...bySeq.values()],
  }
}

function namesOf(entry: Entry): string[] {
  return [
    ...('inputId' in entry ? [`input ${entry.inputId}`] : []),
    ...('runId' in entry && entry.runId !== undefined ? [`run ${entry.runId}`] : []),
    ...('callId' in entry && entry.callId !== undefined ? [`call ${entry.callId}`] : []),
    ...('questionId' in entry ? [`question ${entry.questionId}`] : []),
    ...('content' in entry && 'inputId' in entry ? answersIn(entry.content ?? []) : []),
    ...(entry.type === 'canvas-changed' ? answersOn(entry) : []),
    ...(entry.type === 'step-finished' ? callsOf(entry) : []),
  ]
}
