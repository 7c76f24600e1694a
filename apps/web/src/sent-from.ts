import type { TranscriptItem } from '@holdfast/conversation'

/** Where the part of the thread begins that the model is sent. */
export interface SentFrom {
  /** First `seq` that is sent as it is. */
  readonly fromSeq: number
  /** The checkpoint that counts; null when none does. */
  readonly checkpoint: TranscriptItem | null
  /** Messages that the window leaves out; 0 where it leaves out none. */
  readonly leftOutCount: number
}

/** Where what is sent begins, by the last checkpoint that counts and the last move of the window. [CHK7, WIN7] */
export function sentFrom(items: readonly TranscriptItem[]): SentFrom {
  const undone = new Set(
    items.map(({ detail }) => (detail['code'] === 'checkpoint-undone' ? detail['checkpointSeq'] : null)),
  )
  const checkpoint = items.findLast(({ role, seq }) => role === 'summary' && !undone.has(seq)) ?? null
  const moved = items.findLast(({ detail }) => detail['code'] === 'window-moved')
  const keptFromSeq = numberOf(checkpoint, 'keptFromSeq')
  const startSeq = numberOf(moved, 'startSeq')
  const isMoved = startSeq > keptFromSeq && numberOf(moved, 'leftOutCount') > 0
  return {
    fromSeq: Math.max(keptFromSeq, isMoved ? startSeq : 0),
    checkpoint,
    leftOutCount: isMoved ? numberOf(moved, 'leftOutCount') : 0,
  }
}

function numberOf(item: TranscriptItem | null | undefined, name: string): number {
  const value = item?.detail[name]
  return typeof value === 'number' ? value : 0
}
