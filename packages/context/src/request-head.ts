import type { Entry, EntryOf } from '@holdfast/conversation'

/** Where the request of a path begins, and what it says instead of what is before that. */
export interface RequestHead {
  /** The checkpoint that counts. [CHK1] */
  readonly checkpoint: EntryOf<'checkpoint-made'> | null
  /** The newest move of the window since then. [WIN4] */
  readonly window: EntryOf<'window-moved'> | null
}

type Mark = EntryOf<'checkpoint-made'> | EntryOf<'window-moved'>

/** Checkpoints and moves of the window that count after an entry; an undone checkpoint takes back what rested on it. [CHK7] */
export function marksAfter(marks: readonly Mark[], entry: Entry): readonly Mark[] {
  if (entry.type === 'checkpoint-made' || entry.type === 'window-moved') return [...marks, entry]
  if (entry.type !== 'checkpoint-undone') return marks
  const undone = marks.findIndex(({ type, seq }) => type === 'checkpoint-made' && seq === entry.checkpointSeq)
  if (undone < 0) return marks
  const next = marks.findIndex(({ type }, index) => index > undone && type === 'checkpoint-made')
  return [...marks.slice(0, undone), ...(next < 0 ? [] : marks.slice(next))]
}

/** The head that follows from what counts. */
export function headOf(marks: readonly Mark[]): RequestHead {
  const last = marks.at(-1)
  const checkpoint = marks.findLast((mark) => mark.type === 'checkpoint-made') ?? null
  return { checkpoint, window: last?.type === 'window-moved' ? last : null }
}

/** First entry that is sent as it is; 1 when all is sent. */
export function startSeqOf({ checkpoint, window }: RequestHead): number {
  return Math.max(window?.startSeq ?? 1, checkpoint?.keptFromSeq ?? 1)
}

/** Whether two heads make the same bytes before what both send. */
export function isSameHead(one: RequestHead, other: RequestHead): boolean {
  return one.checkpoint?.seq === other.checkpoint?.seq && one.window?.seq === other.window?.seq
}
