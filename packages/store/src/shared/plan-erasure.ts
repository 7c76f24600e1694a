import { type Entry, type Erasure, erasedEntries, tombstones } from '@holdfast/conversation'

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
 * Plans an erasure. `candidates` are what `erasureCandidates` found in the log.
 *
 * @throws {ErasureRefusedError} when one of the entries that it names holds no content or does not exist.
 */
export function planErasure(candidates: readonly Entry[], erasure: Erasure): ErasurePlan {
  const log = candidates.toSorted((a, b) => a.seq - b.seq)
  const erased = erasedEntries(log, erasure.seqs)
  return {
    erased,
    tombstones: tombstones(erased, erasure),
    stepIds: erased.flatMap((entry) => ('stepId' in entry && entry.stepId !== undefined ? [entry.stepId] : [])),
  }
}
