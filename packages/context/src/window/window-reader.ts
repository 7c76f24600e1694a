import type { Entry, EntryOf } from '@holdfast/conversation'
import { exchangesOf } from '../sent/exchanges.ts'
import { marksAfter } from '../sent/request-head.ts'
import { NO_SIZE, partSize, plus, type Size } from '../size/weight.ts'

/** How far a path has been read backward. */
export interface WindowRead {
  /** What has been read, oldest first. */
  readonly entries: readonly Entry[]
  /** Whether what has been read holds all that the request sends. */
  readonly isEnough: boolean
  /** Entries from before that are sent all the same, by `seq`: to be read one by one, and given as `carried`. */
  readonly carriedSeqs: readonly number[]
  readonly size: Size
}

/** Nothing read yet. */
export const NOTHING_READ: WindowRead = { entries: [], isEnough: false, carriedSeqs: [], size: NO_SIZE }

/**
 * Adds the page of the path that stands before what has been read, oldest first, and says whether that is enough:
 * when it reaches the recorded start, or the beginning, or holds whole exchanges of more than `mostWeight`. So the
 * cost of a request does not depend on what lies further back. [WIN5]
 */
export function readBack(
  read: WindowRead,
  page: { readonly entries: readonly Entry[]; readonly isBeginning: boolean },
  { mostWeight }: { readonly mostWeight: number },
): WindowRead {
  const entries = [...page.entries, ...read.entries]
  const size = page.entries.map(sentSize).reduce(plus, read.size)
  const firstSeq = entries[0]?.seq ?? 0
  const mark = newestMark(entries)
  const reachesStart = mark !== null && firstSeq <= startOf(mark)
  const isFull = size.weight > mostWeight && exchangesOf(entries).length > 1
  const isEnough = page.isBeginning || reachesStart || isFull
  return { entries, size, isEnough, carriedSeqs: isEnough && mark ? carriedBy(mark, entries) : [] }
}

/** What a checkpoint carries that is not among the entries that were read. */
export function carriedByCheckpoint(
  checkpoint: EntryOf<'checkpoint-made'>,
  entries: readonly Entry[],
): readonly number[] {
  const read = new Set(entries.map(({ seq }) => seq))
  return checkpoint.verbatimSeqs.filter((seq) => !read.has(seq))
}

type Mark = EntryOf<'checkpoint-made'> | EntryOf<'window-moved'>

function newestMark(entries: readonly Entry[]): Mark | null {
  let marks: readonly Mark[] = []
  for (const entry of entries) marks = marksAfter(marks, entry)
  return marks.at(-1) ?? null
}

function startOf(mark: Mark): number {
  return mark.type === 'window-moved' ? mark.startSeq : mark.keptFromSeq
}

function carriedBy(mark: Mark, entries: readonly Entry[]): readonly number[] {
  if (mark.type === 'checkpoint-made') return carriedByCheckpoint(mark, entries)
  if (mark.checkpointSeq === undefined) return []
  const checkpoint = entries.find(({ seq }) => seq === mark.checkpointSeq)
  return checkpoint?.type === 'checkpoint-made' ? carriedByCheckpoint(checkpoint, entries) : [mark.checkpointSeq]
}

/** About what an entry adds to the request; the exact size is that of the composed messages. */
function sentSize(entry: Entry): Size {
  switch (entry.type) {
    case 'user-message-sent':
    case 'tool-call-settled':
      return entry.content.map((part) => partSize(part, '')).reduce(plus, NO_SIZE)
    case 'step-finished':
      return {
        weight: entry.blocks.reduce(
          (sum, block) => sum + (block.type === 'tool-call' ? block.inputText : block.text).length,
          0,
        ),
        mediaTokens: 0,
      }
    default:
      return NO_SIZE
  }
}
