import type { AlignType, Table, TableRow } from 'mdast'
import { memo, useState } from 'react'
import { say } from '../language/say.ts'
import { InlineViews } from './inline-views.tsx'

/** More rows than this are shown when somebody asks for them. */
const SHOWN_ROWS = 200

/** A table, in the parts that it was read in; each part repeats the head. */
export function TableView({ parts }: { readonly parts: readonly Table[] }) {
  const [isWhole, setWhole] = useState(false)
  const [first] = parts
  const [head] = first?.children ?? []
  if (!first || !head) return null
  const align = first.align ?? []
  const count = parts.reduce((sum, { children }) => sum + children.length - 1, 0)
  const shown = isWhole ? parts : firstRows(parts, SHOWN_ROWS)
  return (
    <div className="table-frame">
      <table>
        <thead>
          <Row row={head} align={align} isHead />
        </thead>
        {shown.map((part) => (
          <Rows key={part.position?.start.offset ?? part.children.length} table={part} align={align} />
        ))}
      </table>
      {!isWhole && count > SHOWN_ROWS && (
        <button type="button" className="link-button" onClick={() => setWhole(true)}>
          {say('markdown.show-all-rows', { count })}
        </button>
      )}
    </div>
  )
}

const Rows = memo(function Rows({ table, align }: { readonly table: Table; readonly align: readonly AlignType[] }) {
  return (
    <tbody>
      {table.children.slice(1).map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a parsed table are never moved
        <Row key={index} row={row} align={align} isHead={false} />
      ))}
    </tbody>
  )
})

function Row(props: { readonly row: TableRow; readonly align: readonly AlignType[]; readonly isHead: boolean }) {
  const Cell = props.isHead ? 'th' : 'td'
  return (
    <tr>
      {props.row.children.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a parsed row are never moved
        <Cell key={index} data-align={props.align[index] ?? undefined} dir="auto">
          <InlineViews nodes={cell.children} />
        </Cell>
      ))}
    </tr>
  )
}

function firstRows(parts: readonly Table[], limit: number): readonly Table[] {
  const shown: Table[] = []
  let left = limit
  for (const part of parts) {
    if (left <= 0) break
    shown.push(part.children.length - 1 <= left ? part : { ...part, children: part.children.slice(0, left + 1) })
    left -= part.children.length - 1
  }
  return shown
}
