/** A line as far as one row shows it. */
export type Row<Line> = Line & {
  /** Whether it goes on with the line above, which was too long for one row. */
  readonly isContinued: boolean
}

/** So much of something long as the page can lay out in a moment. */
export interface Part<Line> {
  readonly rows: readonly Row<Line>[]
  /** The places of the lines of its first and last rows, from 0. */
  readonly first: number
  readonly last: number
  /** In UTF-16 code units, with the end of each line. */
  readonly characters: number
}

/** How much is not in some parts; a line that is cut counts as a whole one. */
export interface Extent {
  readonly lines: number
  readonly characters: number
}

/** One part has at most so many rows, and code units. */
const PART_ROWS = 400
const PART_LENGTH = 40_000

/** One row has at most so many code units. */
const ROW_LENGTH = 2_000

/** What is long, in parts that are small however long it is, and its lines are. There is at least one. */
export function partsOf<Line extends { readonly text: string }>(lines: readonly Line[]): readonly Part<Line>[] {
  const parts: Part<Line>[] = []
  let rows: Row<Line>[] = []
  let [first, last, characters] = [0, 0, 0]
  function close(): void {
    parts.push({ rows, first, last, characters })
    rows = []
    characters = 0
  }
  for (const [at, line] of lines.entries()) {
    let from = 0
    do {
      const to = rowEnd(line.text, from)
      if (rows.length === PART_ROWS || characters > PART_LENGTH) close()
      if (rows.length === 0) first = at
      rows.push(Object.assign({}, line, { text: line.text.slice(from, to), isContinued: from > 0 }))
      last = at
      characters += to - from + (to === line.text.length ? 1 : 0)
      from = to
    } while (from < line.text.length)
  }
  if (rows.length > 0 || parts.length === 0) close()
  return parts
}

/** Where a row ends: never between the halves of one character. */
function rowEnd(text: string, from: number): number {
  const to = Math.min(text.length, from + ROW_LENGTH)
  return to < text.length && /[\uDC00-\uDFFF]/.test(text.charAt(to)) ? to - 1 : to
}

/** How much is in parts, which stand in the order of what they are of. */
export function extentOf(parts: readonly Part<unknown>[]): Extent {
  let [lines, characters, next] = [0, 0, 0]
  for (const part of parts) {
    lines += part.rows.length === 0 ? 0 : part.last - Math.max(part.first, next) + 1
    characters += part.characters
    next = part.last + 1
  }
  return { lines, characters }
}
