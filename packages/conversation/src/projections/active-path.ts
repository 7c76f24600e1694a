import type { Entry } from '../entry.ts'
import type { Projection } from '../projection.ts'

/** Entries from one `seq` to another, both included. */
export interface SeqRange {
  readonly from: number
  readonly to: number
}

/** A stretch of the log without a rewind or a selection in it; it grew out of an earlier one. */
export interface PathSegment {
  /** `seq` of the entry that began it; 1 for the first. */
  readonly from: number
  /** The entry of an earlier segment after which it goes on; 0 for the beginning. */
  readonly parentSeq: number
}

/** Which part of the log counts now. Segments follow each other without gaps; the last one is being written. */
export interface ActivePath {
  readonly segments: readonly PathSegment[]
  readonly head: number
}

/**
 * The active path. A rewind or a selection begins a segment that goes on after an earlier entry; what
 * lies between is set aside until it is selected again. [PRJ6]
 */
export const activePath: Projection<ActivePath> = {
  name: 'active-path',
  version: 1,
  initial: { segments: [{ from: 1, parentSeq: 0 }], head: 0 },
  reduce(state, entries) {
    const last = entries.at(-1)
    if (!last) return state
    const added: PathSegment[] = []
    for (const entry of entries) {
      if (entry.type === 'path-rewound') added.push(segmentAfter(entry.toSeq, entry))
      if (entry.type === 'path-selected') added.push(segmentAfter(entry.headSeq, entry))
    }
    return { segments: added.length === 0 ? state.segments : [...state.segments, ...added], head: last.seq }
  },
}

/** A log from elsewhere may name an entry that comes later; a path that runs in a circle would have no end. */
function segmentAfter(parentSeq: number, { seq }: Entry): PathSegment {
  return { from: seq, parentSeq: Math.min(parentSeq, seq - 1) }
}

/** The ranges of the log that count, oldest first. */
export function pathRanges(path: ActivePath): SeqRange[] {
  return rangesUpTo(path, path.head)
}

/** The ranges that counted when `seq` was the last entry of its branch. */
export function rangesUpTo(path: ActivePath, seq: number): SeqRange[] {
  const ranges: SeqRange[] = []
  let to = seq
  let index = segmentIndexOf(path.segments, to)
  while (index >= 0) {
    const segment = path.segments[index]
    if (!segment) break
    ranges.push({ from: segment.from, to })
    to = segment.parentSeq
    index = to === 0 ? -1 : segmentIndexOf(path.segments, to)
  }
  return ranges.reverse()
}

/** Whether an entry lies in one of the ranges, which are in order. */
export function isInRanges(ranges: readonly SeqRange[], seq: number): boolean {
  let low = 0
  let high = ranges.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const range = ranges[middle]
    if (!range) return false
    if (seq < range.from) high = middle - 1
    else if (seq > range.to) low = middle + 1
    else return true
  }
  return false
}

/** The entries of a log that count, without those that were set aside. */
export function entriesOnPath(entries: readonly Entry[], ranges: readonly SeqRange[]): Entry[] {
  return entries.filter((entry) => isInRanges(ranges, entry.seq))
}

/** Segments begin in rising order, so the one that holds `seq` is the last that begins at or before it. */
function segmentIndexOf(segments: readonly PathSegment[], seq: number): number {
  let low = 0
  let high = segments.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const segment = segments[middle]
    if (segment && segment.from <= seq) low = middle
    else high = middle - 1
  }
  return seq === 0 ? -1 : low
}
