import { type DiffLine, parseDiff } from './lines/diff-of.ts'

/** Texts longer than this are shown as they are, whatever they may be; in UTF-16 code units. */
const READ_LENGTH = 200_000

/** What a text of a tool is shown as. */
export type ShownText =
  | { readonly type: 'diff'; readonly lines: readonly DiffLine[] }
  | {
      readonly type: 'table'
      readonly columns: readonly string[]
      readonly rows: readonly Readonly<Record<string, unknown>>[]
    }
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'terminal'; readonly text: string }

/** Chooses how to show a text that a tool returned. */
export function shownText(text: string): ShownText {
  if (text.length > READ_LENGTH) return terminal(text)
  const value = parseJson(text)
  if (value !== undefined) return tableOf(value) ?? { type: 'json', value }
  const lines = parseDiff(text)
  return lines ? { type: 'diff', lines } : terminal(text)
}

/** Colours and cursor movements of a terminal mean nothing here; what was written over is left out. */
function terminal(text: string): ShownText {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const plain = text.replaceAll(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-_])/g, '')
  const lines = plain.split('\n').map((line) => line.replace(/\r$/, '').split('\r').at(-1) ?? '')
  return { type: 'terminal', text: lines.join('\n') }
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** A list of flat objects reads best as a table. */
function tableOf(value: unknown): ShownText | null {
  if (!Array.isArray(value) || value.length < 2) return null
  const rows = value.filter(isFlat)
  if (rows.length !== value.length) return null
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return columns.length === 0 || columns.length > 8 ? null : { type: 'table', columns, rows }
}

function isFlat(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((field) => typeof field !== 'object' || field === null)
  )
}
