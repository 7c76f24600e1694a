import { diffArrays } from 'diff'

/** Lines that give way to others; numbers from 0, the end not included. */
export interface LineEdit {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

/** Edits after which lines between two anchors count as wholly different, so that comparing takes bounded time. */
const MOST_EDITS = 400

/**
 * What makes one list of lines of another, in order, with at least one line that stays between two edits. Lines that are
 * there once in both hold the texts together, so that time grows with the length and not with its square.
 */
export function lineEdits(before: readonly string[], after: readonly string[]): readonly LineEdit[] {
  const [old, next] = numbered(before, after)
  const edits: LineEdit[] = []
  const open: LineEdit[] = [{ oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: next.length }]
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const rest = trimmed(old, next, range)
    if (rest.oldStart === rest.oldEnd && rest.newStart === rest.newEnd) continue
    if (rest.oldStart === rest.oldEnd || rest.newStart === rest.newEnd) {
      edits.push(rest)
      continue
    }
    const between = betweenAnchors(old, next, rest)
    if (between === null) edits.push(...smallEdits(old, next, rest))
    else open.push(...between.toReversed())
  }
  return joined(edits)
}

/** Equal lines have equal numbers. */
function numbered(before: readonly string[], after: readonly string[]): readonly [number[], number[]] {
  const numbers = new Map<string, number>()
  const numberOf = (line: string) => {
    const known = numbers.get(line) ?? numbers.size
    numbers.set(line, known)
    return known
  }
  return [before.map(numberOf), after.map(numberOf)]
}

function trimmed(old: readonly number[], next: readonly number[], range: LineEdit): LineEdit {
  let { oldStart, oldEnd, newStart, newEnd } = range
  while (oldStart < oldEnd && newStart < newEnd && old[oldStart] === next[newStart]) {
    oldStart += 1
    newStart += 1
  }
  while (oldStart < oldEnd && newStart < newEnd && old[oldEnd - 1] === next[newEnd - 1]) {
    oldEnd -= 1
    newEnd -= 1
  }
  return { oldStart, oldEnd, newStart, newEnd }
}

/** What lies between lines that are there once in both and in the same order; null where there is no such line. */
function betweenAnchors(
  old: readonly number[],
  next: readonly number[],
  { oldStart, oldEnd, newStart, newEnd }: LineEdit,
): readonly LineEdit[] | null {
  const there = onceIn(old, oldStart, oldEnd)
  const pairs = [...onceIn(next, newStart, newEnd)]
    .flatMap(([line, newAt]) => {
      const oldAt = there.get(line)
      return oldAt === undefined || oldAt < 0 || newAt < 0 ? [] : [{ oldAt, newAt }]
    })
    .sort((one, other) => one.newAt - other.newAt)
  const anchors = longestRising(pairs)
  return anchors.length === 0 ? null : rangesBetween(anchors, { oldStart, oldEnd, newStart, newEnd })
}

/** What lies before, between and behind lines that stay, empty or not. */
function rangesBetween(
  anchors: readonly Anchor[],
  { oldStart, oldEnd, newStart, newEnd }: LineEdit,
): readonly LineEdit[] {
  let [fromOld, fromNew] = [oldStart, newStart]
  const ranges: LineEdit[] = []
  for (const { oldAt, newAt } of anchors) {
    ranges.push({ oldStart: fromOld, oldEnd: oldAt, newStart: fromNew, newEnd: newAt })
    fromOld = oldAt + 1
    fromNew = newAt + 1
  }
  ranges.push({ oldStart: fromOld, oldEnd, newStart: fromNew, newEnd })
  return ranges
}

/** Where each line stands, or -1 for one that is there several times. */
function onceIn(lines: readonly number[], start: number, end: number): ReadonlyMap<number, number> {
  const places = new Map<number, number>()
  for (let at = start; at < end; at += 1) {
    const line = lines[at] ?? -1
    places.set(line, places.has(line) ? -1 : at)
  }
  return places
}

interface Anchor {
  readonly oldAt: number
  readonly newAt: number
}

/** The longest list of pairs, in their order, whose places in the old text rise too. */
function longestRising(pairs: readonly Anchor[]): readonly Anchor[] {
  const tails: number[] = []
  const before = pairs.map(() => -1)
  for (const [index, { oldAt }] of pairs.entries()) {
    let [low, high] = [0, tails.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[tails[middle] ?? 0]?.oldAt ?? 0) < oldAt) low = middle + 1
      else high = middle
    }
    before[index] = tails[low - 1] ?? -1
    tails[low] = index
  }
  const found: Anchor[] = []
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index]
    if (pair) found.push(pair)
  }
  return found.reverse()
}

/** The fewest edits where that is soon found, else one that replaces all. */
function smallEdits(old: readonly number[], next: readonly number[], range: LineEdit): readonly LineEdit[] {
  const [goes, comes] = [old.slice(range.oldStart, range.oldEnd), next.slice(range.newStart, range.newEnd)]
  // A line that one side alone has stays in no case: comparing it would only cost the square of how many there are.
  const [oldPlaces, newPlaces] = [sharedPlaces(goes, comes), sharedPlaces(comes, goes)]
  const changes = diffArrays(
    oldPlaces.map((at) => goes[at]),
    newPlaces.map((at) => comes[at]),
    { maxEditLength: MOST_EDITS },
  )
  if (changes === undefined) return [range]
  let [oldAt, newAt] = [0, 0]
  const stay: Anchor[] = []
  for (const { added, removed, count } of changes) {
    if (!added && !removed)
      for (let index = 0; index < count; index += 1)
        stay.push({
          oldAt: range.oldStart + (oldPlaces[oldAt + index] ?? 0),
          newAt: range.newStart + (newPlaces[newAt + index] ?? 0),
        })
    oldAt += added ? 0 : count
    newAt += removed ? 0 : count
  }
  return rangesBetween(stay, range).filter(
    ({ oldStart, oldEnd, newStart, newEnd }) => oldStart < oldEnd || newStart < newEnd,
  )
}

/** Where the lines stand that the others have too. */
function sharedPlaces(lines: readonly number[], others: readonly number[]): readonly number[] {
  const known = new Set(others)
  return lines.flatMap((line, at) => (known.has(line) ? [at] : []))
}

/** Edits that touch are one. */
function joined(edits: readonly LineEdit[]): readonly LineEdit[] {
  const whole: LineEdit[] = []
  for (const edit of edits) {
    const last = whole.at(-1)
    if (last && last.oldEnd === edit.oldStart && last.newEnd === edit.newStart)
      whole[whole.length - 1] = { ...last, oldEnd: edit.oldEnd, newEnd: edit.newEnd }
    else whole.push(edit)
  }
  return whole
}
