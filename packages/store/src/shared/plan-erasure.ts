import { type Entry, type Erasure, ErasureRefusedError, tombstone } from '@holdfast/conversation'

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
 * Plans an erasure. `targets` are the entries it names and the checkpoints that cover them.
 *
 * @throws {ErasureRefusedError} when one of them holds no content or does not exist.
 */
export function planErasure(targets: readonly Entry[], erasure: Erasure): ErasurePlan {
  const erased = [...new Map(targets.map((entry) => [entry.seq, entry])).values()].sort((a, b) => a.seq - b.seq)
  for (const seq of erasure.seqs) {
    if (!erased.some((entry) => entry.seq === seq)) throw new ErasureRefusedError(seq, 'it does not exist')
  }
  return {
    erased,
    tombstones: erased.map((entry) => tombstone(entry, erasure)),
    stepIds: erased.flatMap((entry) => ('stepId' in entry && entry.stepId !== undefined ? [entry.stepId] : [])),
  }
}
