import { diffArrays } from 'diff'

/** One line of a change. */
export interface DiffLine {
  readonly type: 'same' | 'added' | 'removed' | 'place'
  readonly text: string
  /** Number of the line in the new text, or in the old one where it was removed; null where it is not known. */
  readonly number: number | null
}

/** Texts that differ in more lines than this are not compared: all of the old goes, all of the new comes. */
const COMPARED_CHANGES = 400

/** The change that an edit asks for, if its input has the old words and the new. */
export function diffOfInput(input: unknown): readonly DiffLine[] | null {
  if (typeof input !== 'object' || input === null) return null
  if ('changes' in input) return diffOfChanges(input.changes)
  const fields = new Map(Object.entries(input))
  const before = firstText(fields, ['old_string', 'oldString', 'oldText', 'old_text', 'before', 'search'])
  const after = firstText(fields, ['new_string', 'newString', 'newText', 'new_text', 'after', 'replace'])
  return before === null || after === null ? null : compareLines(before, after)
}

/** The edits of one call in several files, each below the name of its file; null for what is none. [AGENT68] */
export function diffOfChanges(changes: unknown): readonly DiffLine[] | null {
  if (!Array.isArray(changes)) return null
  return changes.flatMap((change: { readonly path?: unknown } | null) => [
    { type: 'place', text: String(change?.path), number: null },
    ...(diffOfInput(change) ?? []),
  ])
}

/** How two texts differ: the lines that change, and a few around them. */
export function diffOfTexts(before: string, after: string): readonly DiffLine[] {
  return aroundChanges(numbered(compareLines(before, after), 1))
}

/** What an edit does to a file, with the numbers of its lines where the old words stand in it. */
export function diffOfEdit(edit: {
  readonly before: string
  readonly after: string
  /** Null where it is not known. */
  readonly file: string | null
}): readonly DiffLine[] {
  const lines = compareLines(edit.before, edit.after)
  const at = edit.file?.indexOf(edit.before) ?? -1
  if (edit.file === null || at < 0) return lines
  return numbered(lines, edit.file.slice(0, at).split('\n').length)
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

/** How many lines come and go. */
export function changeCount(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  return {
    added: lines.filter(({ type }) => type === 'added').length,
    removed: lines.filter(({ type }) => type === 'removed').length,
  }
}

function compareLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = areEnded(before, after)
    ? [endedLines(before), endedLines(after)]
    : [linesOf(before), linesOf(after)]
  const changes = diffArrays(old, now, { maxEditLength: COMPARED_CHANGES })
  if (changes === undefined)
    return [...old.map((text) => changed('removed', text)), ...now.map((text) => changed('added', text))]
  return changes.flatMap(({ added, removed, value }) =>
    value.map((text) => changed(added ? 'added' : removed ? 'removed' : 'same', text)),
  )
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
