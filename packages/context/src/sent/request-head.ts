import type { Entry, EntryOf } from '@holdfast/conversation'

/** Where the request of a path begins, and what it says instead of what is before that. */
export interface RequestHead {
  /** The checkpoint that counts. [CHK1] */
  readonly checkpoint: EntryOf<'checkpoint-made'> | null
  /** The newest move of the window since then. [WIN4] */
  readonly window: EntryOf<'window-moved'> | null
}

type Mark = EntryOf<'checkpoint-made'> | EntryOf<'window-moved'>

/**
 * Checkpoints and moves of the window that count after an entry. An undone checkpoint takes back the windows that
 * rested on it; they name it, so that this holds for a path that was read from later on, too. [CHK7]
 */
export function marksAfter(marks: readonly Mark[], entry: Entry): readonly Mark[] {
  if (entry.type === 'checkpoint-made' || entry.type === 'window-moved') return [...marks, entry]
  if (entry.type !== 'checkpoint-undone') return marks
  const undone = entry.checkpointSeq
  return marks.filter((mark) => (mark.type === 'window-moved' ? mark.checkpointSeq : mark.seq) !== undone)
}

/** The head that follows from what counts. A window names its checkpoint, which may stand before the start, among the carried entries. */
export function headOf(marks: readonly Mark[], carried: readonly Entry[]): RequestHead {
  const last = marks.at(-1)
  if (last?.type !== 'window-moved') return { checkpoint: last ?? null, window: null }
  if (last.checkpointSeq === undefined) return { checkpoint: null, window: last }
  const checkpoint = [...marks, ...carried].find(({ seq }) => seq === last.checkpointSeq)
  if (checkpoint?.type === 'checkpoint-made') return { checkpoint, window: last }
  throw new Error(`The window of entry ${last.seq} rests on checkpoint ${last.checkpointSeq}, which is not given`)
}

/** First entry that is sent as it is; 1 when all is sent. */
export function startSeqOf({ checkpoint, window }: RequestHead): number {
  return Math.max(window?.startSeq ?? 1, checkpoint?.keptFromSeq ?? 1)
}

/** The entry that made a head what it is: heads of the same mark make the same bytes before what they send; 0 for none. */
export function headMarkSeq({ checkpoint, window }: RequestHead): number {
  return (window ?? checkpoint)?.seq ?? 0
}
