import type { ErasedItem, TranscriptItem, TranscriptItemOf } from '@holdfast/conversation'

/** Where the part of the thread begins that the model is sent. */
export interface SentFrom {
  /** First `seq` that is sent as it is. */
  readonly fromSeq: number
  /** The checkpoint that counts; null when none does. */
  readonly checkpoint: TranscriptItemOf<'summary'> | ErasedItem | null
  /** Messages that the window leaves out; 0 where it leaves out none. */
  readonly leftOutCount: number
}

/** Where what is sent begins, by the last checkpoint that counts and the last move of the window. [CHK7, WIN7] */
export function sentFrom(items: readonly TranscriptItem[]): SentFrom {
  const notices = items.filter((item) => item.role === 'notice' && item.state !== 'erased')
  const undone = new Set(notices.flatMap((item) => (item.code === 'checkpoint-undone' ? [item.checkpointSeq] : [])))
  const checkpoints = items.flatMap((item) => (item.role === 'summary' && !undone.has(item.seq) ? [item] : []))
  const checkpoint = checkpoints.at(-1) ?? null
  const moved = notices.findLast((item) => item.code === 'window-moved') ?? null
  const keptFromSeq = checkpoint === null || checkpoint.state === 'erased' ? 0 : checkpoint.keptFromSeq
  const isMoved = moved !== null && moved.startSeq > keptFromSeq && moved.leftOutCount > 0
  return {
    fromSeq: isMoved ? moved.startSeq : keptFromSeq,
    checkpoint,
    leftOutCount: isMoved ? moved.leftOutCount : 0,
  }
}
