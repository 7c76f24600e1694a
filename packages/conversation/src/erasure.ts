import { placeEntry } from './entry-versions.ts'
import type { Entry } from './entry.ts'

/** Kinds without words of anyone: they are never erased, and figures stay. [LOG9] */
const WITHOUT_CONTENT: ReadonlySet<Entry['type']> = new Set([
  'conversation-created',
  'usage-recorded',
  'path-rewound',
  'path-selected',
  'run-started',
  'run-finished',
  'step-started',
  'body-erased',
])

/** An entry cannot be erased: it holds no content, or it does not exist. */
export class ErasureRefusedError extends Error {
  override readonly name = 'ErasureRefusedError'
  readonly code = 'erasure-refused'
  readonly seq: number

  constructor(seq: number, why: string) {
    super(`Entry ${seq} cannot be erased: ${why}`)
    this.seq = seq
  }
}

/** What stands at the place of an erased entry. */
export function tombstone(entry: Entry, erasure: { readonly reason: string; readonly at: number }): Entry {
  if (WITHOUT_CONTENT.has(entry.type)) throw new ErasureRefusedError(entry.seq, `${entry.type} holds no content`)
  const { conversationId, seq, at, actor, type } = entry
  return placeEntry(
    { type: 'body-erased', actor, erasedType: type, reason: erasure.reason, erasedAt: erasure.at },
    { conversationId, seq, at },
  )
}

/** Whether an entry is a checkpoint whose summary may hold what one of these entries said. */
export function coversAny(entry: Entry, seqs: readonly number[]): boolean {
  if (entry.type !== 'checkpoint-made') return false
  const { coversFromSeq, coversToSeq, verbatimSeqs } = entry
  return seqs.some((seq) => (seq >= coversFromSeq && seq <= coversToSeq) || verbatimSeqs.includes(seq))
}

/**
 * The entries that become tombstones when these are erased, in the order of the log: they themselves, the
 * checkpoints whose summary may hold what they said, and the checkpoints made from those. [LOG9]
 */
export function entriesToErase(log: Iterable<Entry>, seqs: readonly number[]): Entry[] {
  const named = new Set(seqs)
  const erased: Entry[] = []
  for (const entry of log) {
    const goes = named.has(entry.seq) || coversAny(entry, erased.map(({ seq }) => seq))
    if (goes) erased.push(entry)
  }
  return erased
}
