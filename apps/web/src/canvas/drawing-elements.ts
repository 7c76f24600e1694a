import { type Draft, ElementContent, type ElementType, type Json, keptFields } from '@holdfast/conversation'
import { drawnType } from './drawing-tools.ts'
import { readPartialJson } from './partial-json.ts'

/** An element that the model is writing now. */
export interface DrawingElement {
  readonly key: string
  readonly type: ElementType
  readonly title: string
  /** Null until there is enough of it to be drawn. */
  readonly content: ElementContent | null
}

/** What is being written of elements in the open step. Nothing of it counts before its call has settled. */
export function drawingElements(draft: Draft | null): readonly DrawingElement[] {
  return (draft?.blocks ?? []).flatMap(({ start, text }, index) => {
    const type = drawnType(start)
    if (type === undefined) return []
    const fields = fieldsOf(readPartialJson(text))
    const title = typeof fields['title'] === 'string' ? fields['title'] : ''
    return [{ key: `drawing-${index}`, type, title, content: contentOf(type, fields) }]
  })
}

type Fields = Readonly<Record<string, Json>>

function contentOf(type: ElementType, fields: Fields): ElementContent | null {
  const parsed = ElementContent.safeParse({ ...wholeOf(type, keptFields(fields)), type })
  return parsed.success ? parsed.data : null
}

/** What can be drawn already: labels that have values, and rows that are whole. */
function wholeOf(type: ElementType, fields: Fields): Fields {
  if (type === 'table') {
    const { columns, rows } = fields
    if (!Array.isArray(columns)) return fields
    if (rows === undefined) return { ...fields, rows: [] }
    if (!Array.isArray(rows)) return fields
    return { ...fields, rows: rows.filter((row: Json) => Array.isArray(row) && row.length === columns.length) }
  }
  if (type !== 'chart' || !Array.isArray(fields['series'])) return fields
  const { labels } = fields
  if (!Array.isArray(labels)) return fields
  const series = fields['series'].map((one: Json) => {
    const { values, ...rest } = fieldsOf(one)
    const known: Json[] = Array.isArray(values) ? values.slice(0, labels.length) : []
    return { name: '…', ...rest, values: [...known, ...labels.slice(known.length).map(() => null)] }
  })
  return { ...fields, series }
}

function fieldsOf(value: Json): Fields {
  return isFields(value) ? value : {}
}

function isFields(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
