/** One line of a change. */
export interface DiffLine {
  readonly type: 'same' | 'added' | 'removed' | 'place'
  readonly text: string
  /** Number of the line in the new text, or in the old one where it was removed; null where it is not known. */
  readonly number: number | null
}

/** Longer texts than this are not compared line by line; in lines. */
const COMPARED_LINES = 400

/** The change that an edit asks for, if its input has the old words and the new. */
export function diffOfInput(input: unknown): readonly DiffLine[] | null {
  if (typeof input !== 'object' || input === null) return null
  const fields = new Map(Object.entries(input))
  const before = firstText(fields, ['old_string', 'oldString', 'oldText', 'old_text', 'before', 'search'])
  const after = firstText(fields, ['new_string', 'newString', 'newText', 'new_text', 'after', 'replace'])
  return before === null || after === null ? null : compareLines(before, after)
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

/** By the longest common sequence of lines. */
function compareLines(before: string, after: string): readonly DiffLine[] {
  const a = before === '' ? [] : before.split('\n')
  const b = after === '' ? [] : after.split('\n')
  if (a.length > COMPARED_LINES || b.length > COMPARED_LINES) {
    return [...a.map((text) => changed('removed', text)), ...b.map((text) => changed('added', text))]
  }
  const common = commonLengths(a, b)
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && left === right) {
      lines.push(changed('same', left))
      i += 1
      j += 1
    } else if (left !== undefined && (right === undefined || at(common, i + 1, j) >= at(common, i, j + 1))) {
      lines.push(changed('removed', left))
      i += 1
    } else if (right !== undefined) {
      lines.push(changed('added', right))
      j += 1
    }
  }
  return lines
}

/** At [i][j]: the length of the longest common sequence of what follows in both. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = table[i]
      if (row) row[j] = a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1))
    }
  }
  return table
}

function at(table: readonly (readonly number[])[], i: number, j: number): number {
  return table[i]?.[j] ?? 0
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
