import { type Entry, type Erasure, ErasureRefusedError, entriesToErase, tombstone } from '@holdfast/conversation'

/** What an erasure changes. */
export interface ErasurePlan {
  /** What stood there, in the order of the log. */
  readonly erased: readonly Entry[]
  /** What stands there from now on, in the same order. */
  readonly tombstones: readonly Entry[]
  /** The steps whose drafts go. */
  readonly stepIds: readonly string[]
}

/**
 * Plans an erasure. `candidates` are the entries that it names, all checkpoints of the log, and what `mayHoldTheSame`.
 *
 * @throws {ErasureRefusedError} when one of them holds no content or does not exist.
 */
export function planErasure(candidates: readonly Entry[], erasure: Erasure): ErasurePlan {
  const bySeq = new Map(candidates.map((entry) => [entry.seq, entry]))
  const missing = erasure.seqs.find((seq) => !bySeq.has(seq))
  if (missing !== undefined) throw new ErasureRefusedError(missing, 'there is no such entry')
  const log = [...bySeq.values()].sort((a, b) => a.seq - b.seq)
  const erased = entriesToErase(log, erasure.seqs)
  return {
    erased,
    tombstones: erased.map((entry) => tombstone(entry, erasure)),
    stepIds: erased.flatMap((entry) => ('stepId' in entry && entry.stepId !== undefined ? [entry.stepId] : [])),
  }
}
