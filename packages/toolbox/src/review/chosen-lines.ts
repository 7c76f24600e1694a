import type { Hunk, HunkEdit } from './hunks.ts'
import { type LineEdit, lineEdits } from './line-edits.ts'

/** Lines of a text that give way to others; numbers from 0, the end not included. */
export interface Replacement {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
}

/** What is rejected: of each hunk all of its changed lines, or some by their places in it. */
export type Rejected = ReadonlyMap<string, 'all' | ReadonlySet<number>>

/** The texts before and after a change, by lines. */
export interface ChangedLines {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/**
 * What rejecting does to the text after a change: a line that came goes, one that went comes back, in the order in which
 * the hunk shows them. [WS9]
 */
export function rejections({ before, after }: ChangedLines, hunks: readonly Hunk[], rejected: Rejected): Replacement[] {
  return hunks.flatMap((hunk) => {
    const chosen = rejected.get(hunk.id)
    if (chosen === undefined) return []
    return hunk.edits.flatMap((edit) => {
      const isRejected = (at: number) => chosen === 'all' || chosen.has(at)
      if (![...edit.oldAt, ...edit.newAt].some(isRejected)) return []
      const back = before.slice(edit.oldStart, edit.oldEnd).filter((_, index) => isRejected(edit.oldAt[index] ?? -1))
      const stay = after.slice(edit.newStart, edit.newEnd).filter((_, index) => !isRejected(edit.newAt[index] ?? -1))
      return [{ start: edit.newStart, end: edit.newEnd, lines: [...back, ...stay] }]
    })
  })
}

/** The lines with replacements, which are in order and do not overlap. */
export function replaceLines(lines: readonly string[], replacements: readonly Replacement[]): readonly string[] {
  let at = 0
  const parts: (readonly string[])[] = []
  for (const { start, end, lines: next } of replacements) {
    parts.push(lines.slice(at, start), next)
    at = end
  }
  parts.push(lines.slice(at))
  return parts.flat()
}

/** What was done to a text since, as replacements in it. */
export function replacementsSince(lines: readonly string[], now: readonly string[]): readonly Replacement[] {
  return lineEdits(lines, now).map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    start: oldStart,
    end: oldEnd,
    lines: now.slice(newStart, newEnd),
  }))
}

/**
 * Both of two lists of replacements of one text: a merge of three. Null where one touches lines beside those of the other,
 * for then nobody can say what belongs together. [WS9]
 */
export function mergeReplacements(
  ours: readonly Replacement[],
  theirs: readonly Replacement[],
): readonly Replacement[] | null {
  const merged: Replacement[] = []
  let [our, their] = [0, 0]
  for (;;) {
    const [one, other] = [ours[our], theirs[their]]
    if (one === undefined && other === undefined) return merged
    if (one && other && isSame(one, other)) {
      merged.push(one)
      our += 1
      their += 1
    } else if (one && other && touch(one, other)) return null
    else if (one && (other === undefined || one.start < other.start)) {
      merged.push(one)
      our += 1
    } else if (other) {
      merged.push(other)
      their += 1
    }
  }
}

/** What became of a hunk in the text that stands there now. */
export type HunkFate = 'there' | 'taken-back' | 'overwritten'

/** Looks for a hunk in what was done to the text since. */
export function fateOf({ edits }: Hunk, before: readonly string[], since: readonly Replacement[]): HunkFate {
  if (since.length === 0) return 'there'
  const fates = edits.map((edit) => editFate(edit, before, since))
  if (fates.every((fate) => fate === 'there')) return 'there'
  return fates.every((fate) => fate === 'taken-back') ? 'taken-back' : 'overwritten'
}

function editFate(edit: HunkEdit & LineEdit, before: readonly string[], since: readonly Replacement[]): HunkFate {
  const own = { start: edit.newStart, end: edit.newEnd }
  const near = since.filter((replacement) => touch(replacement, own))
  if (near.length === 0) return 'there'
  const [only] = near
  const isBack =
    near.length === 1 &&
    only?.start === own.start &&
    only.end === own.end &&
    isSame(only, { ...own, lines: before.slice(edit.oldStart, edit.oldEnd) })
  return isBack ? 'taken-back' : 'overwritten'
}

type Span = Pick<Replacement, 'start' | 'end'>

function touch(one: Span, other: Span): boolean {
  return one.start <= other.end && other.start <= one.end
}

function isSame(one: Replacement, other: Replacement): boolean {
  return (
    one.start === other.start &&
    one.end === other.end &&
    one.lines.length === other.lines.length &&
    one.lines.every((line, index) => line === other.lines[index])
  )
}
