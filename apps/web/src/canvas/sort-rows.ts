import type { ContentOf } from '@holdfast/conversation'

/** One cell of a table. */
export type Cell = ContentOf<'table'>['rows'][number][number]

/** By which column, and which way. */
export interface Sorting {
  readonly column: number
  readonly direction: 'ascending' | 'descending'
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/**
 * The rows in another order: numbers before words, empty cells last whichever way, and rows that are equal as they
 * were.
 */
export function sortedRows(rows: readonly (readonly Cell[])[], sorting: Sorting | null): readonly (readonly Cell[])[] {
  if (sorting === null) return rows
  const { column, direction } = sorting
  const sign = direction === 'ascending' ? 1 : -1
  return rows.toSorted((one, other) => {
    const a = one[column] ?? null
    const b = other[column] ?? null
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return sign * compared(a, b)
  })
}

/** None, then ascending, then descending, then none again. */
export function nextSorting(sorting: Sorting | null, column: number): Sorting | null {
  if (sorting?.column !== column) return { column, direction: 'ascending' }
  return sorting.direction === 'ascending' ? { column, direction: 'descending' } : null
}

/** The rows that hold a text in any cell. */
export function filteredRows(rows: readonly (readonly Cell[])[], words: string): readonly (readonly Cell[])[] {
  const wanted = words.trim().toLocaleLowerCase()
  if (wanted === '') return rows
  return rows.filter((row) => row.some((cell) => cellText(cell).toLocaleLowerCase().includes(wanted)))
}

/** A cell as it is shown and copied. */
export function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return typeof cell === 'number' ? String(cell) : cell
}

/** A table for the clipboard, as spreadsheets take it: what would be read as a formula is not. */
export function toTabs(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => row.map(tabCell).join('\t')).join('\n')
}

function tabCell(cell: Cell): string {
  const text = cellText(cell).replaceAll(/[\t\r\n]+/g, ' ')
  return typeof cell === 'string' && /^[=+\-@]/.test(text) ? `'${text}` : text
}

function compared(a: NonNullable<Cell>, b: NonNullable<Cell>): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1
  return collator.compare(cellText(a), cellText(b))
}
