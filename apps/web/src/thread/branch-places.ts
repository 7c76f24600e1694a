import { type ActivePath, type TranscriptItem, visibleItems } from '@holdfast/conversation'

/** A turn among others that follow the same place: what it was asked otherwise, or answered otherwise. */
export interface BranchPlace {
  /** Its place among them, from 0. */
  readonly index: number
  /** For each of them, the run at the end of its branch. */
  readonly lastRunIds: readonly string[]
}

/** Where a turn begins. */
interface TurnStart {
  readonly runId: string
  readonly seq: number
  readonly segment: number
}

/**
 * The turns of the path that have others beside them, by run. Turns are beside each other when they follow the same
 * turn. [PRJ6]
 */
export function branchPlaces(items: readonly TranscriptItem[], path: ActivePath): ReadonlyMap<string, BranchPlace> {
  const places = new Map<string, BranchPlace>()
  if (path.segments.length === 1) return places
  const starts = turnStarts(items, path)
  const parents = starts.map((_, index) => parentOf(starts, index, path))
  const children = Map.groupBy(starts, (_, index) => parents[index]?.runId ?? '')
  const newest = newestUnder(starts, parents)
  const shown = new Set(visibleItems({ items, path }).map(({ runId }) => runId))
  for (const siblings of children.values()) {
    const index = siblings.findIndex(({ runId }) => shown.has(runId))
    const own = siblings[index]
    if (siblings.length < 2 || !own) continue
    places.set(own.runId, { index, lastRunIds: siblings.map(({ runId }) => newest.get(runId)?.runId ?? runId) })
  }
  return places
}

function turnStarts(items: readonly TranscriptItem[], { segments }: ActivePath): readonly TurnStart[] {
  const starts: TurnStart[] = []
  const known = new Set<string>()
  let segment = 0
  for (const { role, runId, seq } of items) {
    while ((segments[segment + 1]?.from ?? Number.POSITIVE_INFINITY) <= seq) segment += 1
    if (role !== 'user' || runId === null || known.has(runId)) continue
    known.add(runId)
    starts.push({ runId, seq, segment })
  }
  return starts
}

/** The turn that it follows; undefined for the first. */
function parentOf(starts: readonly TurnStart[], place: number, { segments }: ActivePath): TurnStart | undefined {
  const before = starts[place - 1]
  let index = starts[place]?.segment ?? 0
  if (before?.segment === index) return before
  for (;;) {
    const parentSeq = segments[index]?.parentSeq ?? 0
    if (parentSeq === 0) return undefined
    const segment = segments.findLastIndex(({ from }) => from <= parentSeq)
    const known = starts.findLast((other) => other.segment === segment && other.seq <= parentSeq)
    if (known) return known
    index = segment
  }
}

/** Of each turn, the newest one that follows from it: where its branch ends. */
function newestUnder(
  starts: readonly TurnStart[],
  parents: readonly (TurnStart | undefined)[],
): ReadonlyMap<string, TurnStart> {
  const newest = new Map<string, TurnStart>()
  for (const [index, start] of [...starts.entries()].toReversed()) {
    const own = newest.get(start.runId) ?? start
    newest.set(start.runId, own)
    const parent = parents[index]
    if (parent && (newest.get(parent.runId)?.seq ?? 0) < own.seq) newest.set(parent.runId, own)
  }
  return newest
}
