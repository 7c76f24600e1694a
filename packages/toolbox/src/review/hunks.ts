import { createHash } from 'node:crypto'
import type { LineEdit } from './line-edits.ts'

/** Changed lines of a file with what stands around them, decided about together. [WS9] */
export interface Hunk {
  /** Hash of path and changed lines: one change has one id, wherever it stands in the file. */
  readonly id: string
  /** Number of its first line, from 1; 0 where that text has no lines. */
  readonly oldStart: number
  readonly newStart: number
  /** As in a unified diff: ` `, `-` or `+` before each, and `\` for a missing line end. */
  readonly lines: readonly string[]
  readonly edits: readonly HunkEdit[]
}

/** One edit of a hunk, with the place of each line that goes or comes among the lines of the hunk. */
export interface HunkEdit extends LineEdit {
  readonly oldAt: readonly number[]
  readonly newAt: readonly number[]
}

/** Lines that are shown around a change. */
const AROUND = 3
const NO_END = '\\ No newline at end of file'

/** Two texts by their lines, and what makes one of the other. */
export interface ComparedLines {
  readonly path: string
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly edits: readonly LineEdit[]
}

/** The hunks of a change, in order. Edits with few lines between them are one. */
export function hunksOf({ path, before, after, edits }: ComparedLines): readonly Hunk[] {
  const seen = new Map<string, number>()
  return grouped(edits).map((group) => {
    const [first] = group
    const last = group.at(-1) ?? first
    const oldFrom = Math.max(0, first.oldStart - AROUND)
    const newFrom = first.newStart - (first.oldStart - oldFrom)
    const lines: string[] = []
    const push = (sign: string, line: string | undefined): number => {
      const text = line ?? ''
      const at = lines.push(`${sign}${text.endsWith('\n') ? text.slice(0, -1) : text}`) - 1
      if (!text.endsWith('\n')) lines.push(NO_END)
      return at
    }
    let oldAt = oldFrom
    const placed: HunkEdit[] = []
    for (const edit of group) {
      for (; oldAt < edit.oldStart; oldAt += 1) push(' ', before[oldAt])
      placed.push({
        ...edit,
        oldAt: before.slice(edit.oldStart, edit.oldEnd).map((line) => push('-', line)),
        newAt: after.slice(edit.newStart, edit.newEnd).map((line) => push('+', line)),
      })
      oldAt = edit.oldEnd
    }
    for (const end = Math.min(before.length, last.oldEnd + AROUND); oldAt < end; oldAt += 1) push(' ', before[oldAt])
    const content = hashOf(
      path,
      group.map(({ oldStart, oldEnd, newStart, newEnd }) => [
        before.slice(oldStart, oldEnd),
        after.slice(newStart, newEnd),
      ]),
    )
    const count = seen.get(content) ?? 0
    seen.set(content, count + 1)
    return {
      id: count === 0 ? content : `${content}.${count}`,
      oldStart: before.length === 0 ? 0 : oldFrom + 1,
      newStart: after.length === 0 ? 0 : newFrom + 1,
      lines,
      edits: placed,
    }
  })
}

/** How many lines come and go. */
export function countLines(edits: readonly LineEdit[]): { readonly additions: number; readonly deletions: number } {
  return {
    additions: edits.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0),
    deletions: edits.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0),
  }
}

type Group = readonly [LineEdit, ...LineEdit[]]

function grouped(edits: readonly LineEdit[]): readonly Group[] {
  const groups: [LineEdit, ...LineEdit[]][] = []
  for (const edit of edits) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && edit.oldStart - last.oldEnd <= 2 * AROUND) group.push(edit)
    else groups.push([edit])
  }
  return groups
}

function hashOf(path: string, content: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([path, content]))
    .digest('hex')
    .slice(0, 16)
}
