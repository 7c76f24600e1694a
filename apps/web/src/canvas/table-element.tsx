import type { ContentOf } from '@holdfast/conversation'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { figureText } from './figure-text.ts'
import { keepWidths, readWidths, type Widths } from './kept-widths.ts'
import { type Cell, cellText, filteredRows, nextSorting, type Sorting, sortedRows } from './sort-rows.ts'

/** Every row has this height, in pixels, so that those that are not seen need not be drawn. */
const ROW_PX = 29
/** Longer tables scroll in a frame of their own, and only the rows in it are there. */
const SCROLLS_FROM = 12
const FRAME_ROWS = 12
const BESIDE = 6
/** From here on a filter is offered. */
const FILTERS_FROM = 20

/** What a table is shown from. */
export interface TableProps {
  readonly table: ContentOf<'table'>
  readonly isFull: boolean
  /** The name under which this browser keeps the widths of its columns; null where it keeps none. */
  readonly keptAs: string | null
}

/** Rows under columns that sort; of a long table only what is seen is drawn. */
export function TableElement({ table, isFull, keptAs }: TableProps) {
  const [sorting, setSorting] = useState<Sorting | null>(null)
  const [words, setWords] = useState('')
  const rows = useMemo(() => sortedRows(filteredRows(table.rows, words), sorting), [table.rows, words, sorting])
  return (
    <div className="table-element">
      {table.rows.length >= FILTERS_FROM && (
        <input
          type="search"
          aria-label={say('canvas.filter-title', { title: table.title })}
          placeholder={say('canvas.filter-rows')}
          dir="auto"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      )}
      <Rows
        table={table}
        rows={rows}
        sorting={sorting}
        isFull={isFull}
        keptAs={keptAs}
        onSort={(column) => setSorting(nextSorting(sorting, column))}
      />
      {rows.length === 0 && <p className="meta">{say('canvas.no-rows')}</p>}
    </div>
  )
}

interface RowsProps extends TableProps {
  readonly rows: readonly (readonly Cell[])[]
  readonly sorting: Sorting | null
  readonly onSort: (column: number) => void
}

function Rows({ table, rows, sorting, isFull, keptAs, onSort }: RowsProps) {
  const [top, setTop] = useState(0)
  const [widths, setWidths] = useState(() => readWidths(keptAs))
  const frame = useRef<HTMLDivElement>(null)
  const scrolls = rows.length > SCROLLS_FROM
  const seenRows = isFull ? Math.ceil(innerHeight / ROW_PX) : FRAME_ROWS
  const first = scrolls ? Math.max(0, Math.min(rows.length - seenRows, Math.floor(top / ROW_PX)) - BESIDE) : 0
  const last = scrolls ? Math.min(rows.length, first + seenRows + 2 * BESIDE) : rows.length

  function changeWidth(column: number, widthPx: number | null): void {
    const next = withWidth(widths, column, widthPx)
    setWidths(next)
    keepWidths(keptAs, next)
  }

  return (
    <section
      ref={frame}
      className="table-rows"
      data-scrolls={scrolls || undefined}
      aria-label={table.title}
      tabIndex={scrolls ? 0 : undefined}
      onScroll={() => setTop(frame.current?.scrollTop ?? 0)}
    >
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {table.columns.map(({ name, kind }, column) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat; a column is its place
                key={column}
                scope="col"
                aria-label={name}
                data-kind={kind}
                aria-sort={sorting?.column === column ? sorting.direction : 'none'}
                style={widthStyle(widths[column])}
              >
                <button type="button" onClick={() => onSort(column)}>
                  {name}
                  <span className="sort-sign" aria-hidden="true">
                    {sorting?.column === column ? (
                      <Icon name={sorting.direction === 'ascending' ? 'up' : 'down'} />
                    ) : null}
                  </span>
                </button>
                <ColumnHandle
                  name={name}
                  widthPx={widths[column] ?? null}
                  onWidth={(widthPx) => changeWidth(column, widthPx)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Spacer heightPx={first * ROW_PX} columnCount={table.columns.length} />}
          {rows.slice(first, last).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row that is seen is its place: scrolling changes its words and not the page
            <tr key={index} aria-rowindex={first + index + 2}>
              {row.map((cell, column) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
                  key={column}
                  data-kind={table.columns[column]?.kind}
                  dir="auto"
                  title={longText(cell)}
                  style={widthStyle(widths[column])}
                >
                  {typeof cell === 'number' ? figureText(cell) : cellText(cell)}
                </td>
              ))}
            </tr>
          ))}
          {last < rows.length && <Spacer heightPx={(rows.length - last) * ROW_PX} columnCount={table.columns.length} />}
        </tbody>
      </table>
    </section>
  )
}

function Spacer({ heightPx, columnCount }: { readonly heightPx: number; readonly columnCount: number }) {
  return (
    <tr className="table-spacer">
      <td colSpan={columnCount} style={{ height: heightPx }} />
    </tr>
  )
}

function withWidth(widths: Widths, column: number, widthPx: number | null): Widths {
  const { [column]: _, ...others } = widths
  return widthPx === null ? others : { ...others, [column]: widthPx }
}

/** A width that a person gave holds for every cell; what has no room is cut with an ellipsis. */
function widthStyle(widthPx: number | undefined): CSSProperties | undefined {
  return widthPx === undefined ? undefined : { width: widthPx, minWidth: widthPx, maxWidth: widthPx }
}

/** What may not have room in its cell is there on hover. */
function longText(cell: Cell): string | undefined {
  return typeof cell === 'string' && cell.length > 30 ? cell.slice(0, 2_000) : undefined
}

/** Bounds and step of a column's width, in pixels. */
const LEAST_PX = 40
const MOST_PX = 1_200
const STEP_PX = 16

interface HandleProps {
  readonly name: string
  /** Null while the table decides. */
  readonly widthPx: number | null
  /** Null gives the width back to the table. */
  readonly onWidth: (widthPx: number | null) => void
}

/** The edge of a column: drawn with the pointer, moved by the arrows, given back by a double click or Home. */
function ColumnHandle({ name, widthPx, onWidth }: HandleProps) {
  const dragged = useRef<{ readonly fromX: number; readonly fromPx: number } | null>(null)

  function shownPx(handle: HTMLElement): number {
    return widthPx ?? handle.closest('th')?.offsetWidth ?? LEAST_PX
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.key === 'Home') onWidth(null)
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const step = (event.key === 'ArrowRight' ? STEP_PX : -STEP_PX) * direction(event.currentTarget)
      onWidth(bounded(shownPx(event.currentTarget) + step))
    } else return
    event.preventDefault()
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId)
    dragged.current = { fromX: event.clientX, fromPx: shownPx(event.currentTarget) }
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    if (dragged.current === null) return
    const { fromX, fromPx } = dragged.current
    onWidth(bounded(fromPx + (event.clientX - fromX) * direction(event.currentTarget)))
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that is moved is no hr
    <span
      className="column-handle"
      role="separator"
      aria-orientation="vertical"
      aria-label={say('canvas.width-of-name', { name })}
      aria-valuemin={LEAST_PX}
      aria-valuemax={MOST_PX}
      aria-valuenow={widthPx ?? LEAST_PX}
      aria-valuetext={widthPx === null ? say('canvas.as-the-table-has-room') : say('canvas.pixels', { count: widthPx })}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        dragged.current = null
      }}
      onPointerCancel={() => {
        dragged.current = null
      }}
      onDoubleClick={() => onWidth(null)}
    />
  )
}

function bounded(widthPx: number): number {
  return Math.round(Math.min(MOST_PX, Math.max(LEAST_PX, widthPx)))
}

/** Columns of a page that is read from the right grow to the left. */
function direction(element: HTMLElement): 1 | -1 {
  return getComputedStyle(element).direction === 'rtl' ? -1 : 1
}
