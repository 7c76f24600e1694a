import type { Entry } from '@holdfast/conversation'

/**
 * Says which entries an erasure may touch beside `first`, which are those it names and all checkpoints: what
 * shares an input or a run with one of them. Copies of words go from entry to entry by these alone, as
 * `entriesToErase` follows them, so that not the whole log need be held.
 */
export function mayHoldTheSame(first: readonly Entry[]): (entry: Entry) => boolean {
  const firstSeqs = new Set(first.map(({ seq }) => seq))
  const ids = new Set(first.flatMap(idsOf))
  return (entry) => !firstSeqs.has(entry.seq) && idsOf(entry).some((id) => ids.has(id))
}

function idsOf(entry: Entry): string[] {
  return [
    ...('inputId' in entry ? [`input ${entry.inputId}`] : []),
    ...('runId' in entry && entry.runId !== undefined ? [`run ${entry.runId}`] : []),
  ]
}
