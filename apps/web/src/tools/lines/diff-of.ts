import { diffArrays } from 'diff'
import { commonLines } from './common-lines.ts'

/** One line of a change. */
export interface DiffLine {
  readonly type: 'same' | 'added' | 'removed' | 'place'
  readonly text: string
  /** Number of the line in the new text, or in the old one where it was removed; null where it is not known. */
  readonly number: number | null
}

/** A change of one text or several, line by line. */
export interface Diff {
  readonly lines: readonly DiffLine[]
  /** Whether more lines than these may stay: the texts could not be compared to the end in a moment. */
  readonly isAtMost: boolean
}

/** Texts that differ in more lines than this are compared in another way, whose time does not grow with what differs. */
const STEPWISE_CHANGES = 400

/** The change that an edit asks for, if its input has the old words and the new. */
export function diffOfInput(input: unknown): Diff | null {
  if (typeof input !== 'object' || input === null) return null
  if ('changes' in input) return diffOfChanges(input.changes)
  const fields = new Map(Object.entries(input))
  const before = firstText(fields, ['old_string', 'oldString', 'oldText', 'old_text', 'before', 'search'])
  const after = firstText(fields, ['new_string', 'newString', 'newText', 'new_text', 'after', 'replace'])
  if (before === null || after === null) return null
  const { lines, isAtMost } = compareLines(before, after)
  return { lines: aroundChanges(lines), isAtMost }
}

/** The edits of one call in several files, each below the name of its file; null for what is none. [AGENT68] */
export function diffOfChanges(changes: unknown): Diff | null {
  if (!Array.isArray(changes)) return null
  const diffs = changes.map((change: unknown) => diffOfInput(change))
  return {
    lines: changes.flatMap((change: { readonly path?: unknown } | null, index): readonly DiffLine[] => {
      const name: DiffLine = { type: 'place', text: String(change?.path), number: null }
      return [name].concat(diffs[index]?.lines ?? [])
    }),
    isAtMost: diffs.some((diff) => diff?.isAtMost),
  }
}

/** How two texts differ: the lines that change, and a few around them. */
export function diffOfTexts(before: string, after: string): Diff {
  const { lines, isAtMost } = compareLines(before, after)
  return { lines: aroundChanges(numbered(lines, 1)), isAtMost }
}

/** What an edit does to a file, with the numbers of its lines where the old words stand in it. */
export function diffOfEdit(edit: {
  readonly before: string
  readonly after: string
  /** Null where it is not known. */
  readonly file: string | null
}): Diff {
  const { lines, isAtMost } = compareLines(edit.before, edit.after)
  const at = edit.file?.indexOf(edit.before) ?? -1
  const known = edit.file === null || at < 0 ? lines : numbered(lines, edit.file.slice(0, at).split('\n').length)
  return { lines: aroundChanges(known), isAtMost }
}

/** Lines that stay are shown so far around a change. */
const LINES_AROUND = 3

function aroundChanges(lines: readonly DiffLine[]): readonly DiffLine[] {
  const changedAt = lines.flatMap(({ type }, index) => (type === 'same' ? [] : [index]))
  let next = 0
  const near = lines.map((_, index) => {
    while (next < changedAt.length - 1 && (changedAt[next] ?? 0) + LINES_AROUND < index) next += 1
    return Math.abs((changedAt[next] ?? Number.POSITIVE_INFINITY) - index) <= LINES_AROUND
  })
  return lines.flatMap((line, index): DiffLine[] => {
    if (near[index]) return [line]
    return index === 0 || near[index - 1] ? [{ type: 'place', text: '⋯', number: null }] : []
  })
}

/** Each line with its number in the new text, or in the old one where it goes. */
function numbered(lines: readonly DiffLine[], first: number): readonly DiffLine[] {
  let before = first
  let after = first
  return lines.map(({ type, text }) => {
    const number = type === 'removed' ? before : after
    if (type !== 'added') before += 1
    if (type !== 'removed') after += 1
    return { type, text, number }
  })
}

/** The lines of a unified diff; null when the text is none. */
export function parseDiff(text: string): readonly DiffLine[] | null {
  if (!/^(?:diff --git |--- [^\n]*\n\+\+\+ |@@ -\d)/m.test(text.slice(0, 2_000))) return null
  let before = 0
  let after = 0
  return text.split('\n').map((line): DiffLine => {
    const [, oldStart, newStart] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line) ?? []
    if (oldStart !== undefined) {
      before = Number(oldStart)
      after = Number(newStart)
      return { type: 'place', text: line, number: null }
    }
    if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return { type: 'place', text: line, number: null }
    if (line.startsWith('+')) return { type: 'added', text: line.slice(1), number: after++ }
    if (line.startsWith('-')) return { type: 'removed', text: line.slice(1), number: before++ }
    before += 1
    return { type: 'same', text: line.slice(1), number: after++ }
  })
}

/** How many lines come and go; at most so many where not all that stays was found. */
export interface ChangeCounts {
  readonly added: number
  readonly removed: number
  readonly isAtMost: boolean
}

/** Counts the lines of a change. */
export function changeCount({ lines, isAtMost }: Diff): ChangeCounts {
  return {
    added: lines.filter(({ type }) => type === 'added').length,
    removed: lines.filter(({ type }) => type === 'removed').length,
    isAtMost,
  }
}

function compareLines(before: string, after: string): Diff {
  const [old, now] = areEnded(before, after)
    ? [endedLines(before), endedLines(after)]
    : [linesOf(before), linesOf(after)]
  const changes = diffArrays(old, now, { maxEditLength: STEPWISE_CHANGES })
  if (changes === undefined) return compareMany(old, now)
  const lines = changes.flatMap(({ added, removed, value }) =>
    value.map((text) => changed(added ? 'added' : removed ? 'removed' : 'same', text)),
  )
  return { lines, isAtMost: false }
}

/** Texts that differ in many lines. */
function compareMany(old: readonly string[], now: readonly string[]): Diff {
  const { kept, mayBeMore } = commonLines(old, now)
  const lines: DiffLine[] = []
  let from = { old: 0, now: 0 }
  for (const to of [...kept, { old: old.length, now: now.length }]) {
    for (const text of old.slice(from.old, to.old)) lines.push(changed('removed', text))
    for (const text of now.slice(from.now, to.now)) lines.push(changed('added', text))
    const same = old[to.old]
    if (same !== undefined) lines.push(changed('same', same))
    from = { old: to.old + 1, now: to.now + 1 }
  }
  return { lines, isAtMost: mayBeMore }
}

/** The end of a last line is no line of its own. Where only one of two texts has it, that is a change to be seen. */
function areEnded(...texts: readonly string[]): boolean {
  return texts.every((text) => text === '' || text.endsWith('\n'))
}

function endedLines(text: string): string[] {
  return text.split('\n').slice(0, -1)
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

function changed(type: DiffLine['type'], text: string): DiffLine {
  return { type, text, number: null }
}

function firstText(fields: ReadonlyMap<string, unknown>, names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields.get(name)
    if (typeof value === 'string') return value
  }
  return null
}
