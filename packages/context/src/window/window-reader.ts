import type { Entry, EntryOf } from '@holdfast/conversation'
import { beginningOf } from '../sent/exchanges.ts'
import { NO_SIZE, partSize, plus, type Size } from '../size/weight.ts'

/** How far a path has been read backward. */
export interface WindowRead {
  /** What has been read, oldest first. */
  readonly entries: readonly Entry[]
  /** Entries from before that are sent all the same, by `seq`: to be read one by one, and given as `carried`. */
  readonly carriedSeqs: readonly number[]
  readonly size: Size
}

/** Reads a path from its end, page by page; each entry is looked at once. [RUN27] */
export interface WindowReader {
  /**
   * Takes the page that stands before what has been read, oldest first, and says whether that is enough: when it
   * reaches the recorded start, or the beginning, or what has been read holds whole exchanges of about more than so
   * much. So the cost of a request does not depend on what lies further back. [WIN5]
   */
  take(page: { readonly entries: readonly Entry[]; readonly isBeginning: boolean }): boolean
  /** What has been read, once that is enough. */
  read(): WindowRead
}

/** @param mostWeight - how far back is read at least; infinite for all. */
export function createWindowReader({ mostWeight }: { readonly mostWeight: number }): WindowReader {
  /** Newest first. */
  const pages: (readonly Entry[])[] = []
  const marks = createNewestMark()
  const exchanges = createExchangeCount()
  let size = NO_SIZE
  let firstSeq = 0
  return {
    take({ entries, isBeginning }) {
      pages.push(entries)
      for (let index = entries.length - 1; index >= 0; index--) {
        const entry = entries[index]
        if (entry === undefined) continue
        size = plus(size, sentSize(entry))
        firstSeq = entry.seq
        marks.look(entry)
        exchanges.look(entry)
      }
      const mark = marks.newest()
      const reachesStart = mark !== null && firstSeq <= startOf(mark)
      return isBeginning || reachesStart || (size.weight > mostWeight && exchanges.areSeveral())
    },
    read() {
      const entries = pages.toReversed().flat()
      const mark = marks.newest()
      return { entries, size, carriedSeqs: mark === null ? [] : carriedBy(mark, entries) }
    },
  }
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

/** The newest mark that nothing after it takes back, from entries that are looked at newest first. [CHK7] */
function createNewestMark(): { look(entry: Entry): void; newest(): Mark | null } {
  const undone = new Set<number>()
  let newest: Mark | null = null
  return {
    look(entry) {
      if (newest !== null) return
      if (entry.type === 'checkpoint-undone') undone.add(entry.checkpointSeq)
      if (entry.type !== 'checkpoint-made' && entry.type !== 'window-moved') return
      const restsOn = entry.type === 'window-moved' ? entry.checkpointSeq : entry.seq
      if (restsOn === undefined || !undone.has(restsOn)) newest = entry
    },
    newest: () => newest,
  }
}

/** Whether entries that are looked at newest first are of more than one exchange. [WIN2] */
function createExchangeCount(): { look(entry: Entry): void; areSeveral(): boolean } {
  const inputRuns = new Set<string>()
  let firstRun: string | null = null
  return {
    look(entry) {
      const beginning = beginningOf(entry)
      if (beginning === null) return
      firstRun = beginning.runId
      // Two are as good as all.
      if (beginning.isInput && inputRuns.size < 2) inputRuns.add(beginning.runId)
    },
    areSeveral: () => inputRuns.size > 1 || (inputRuns.size === 1 && firstRun !== null && !inputRuns.has(firstRun)),
  }
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

/**
 * About what an entry adds to the request. It may add far less: titles, thinking and what is sent as an excerpt. The exact
 * size is that of the composed messages, by which more is read. [WIN13]
 */
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
