import { markHidden } from '@holdfast/conversation'
import { say } from '../shared/language/say.ts'
import { PartedText } from './lines/parted-text.tsx'

/** So many fields or elements of one value are shown. */
const SHOWN_FIELDS = 200

/** A text that is longer stands in a box of its own, a part of it at a time; in UTF-16 code units. */
const LINE_LENGTH = 4_000

/** Deeper values than this are closed at first. */
const OPEN_DEPTH = 2

/** A value of JSON, as a tree that can be closed. */
export function JsonView({ value }: { readonly value: unknown }) {
  return (
    <div className="json" dir="ltr">
      <ValueView name={null} value={value} depth={0} />
    </div>
  )
}

function ValueView(props: { readonly name: string | null; readonly value: unknown; readonly depth: number }) {
  const { name, value, depth } = props
  const label = name === null ? null : <span className="json-name">{`${markHidden(name)}: `}</span>
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'string' && value.length > LINE_LENGTH)
      return (
        <div className="json-leaf">
          {label}
          <PartedText text={value} dir="ltr" />
        </div>
      )
    return (
      <div className="json-leaf">
        {label}
        <span className={`json-${value === null ? 'null' : typeof value}`}>
          {markHidden(typeof value === 'string' && depth > 0 ? JSON.stringify(value) : String(value))}
        </span>
      </div>
    )
  }
  const fields = Object.entries(value)
  const [opening, closing] = Array.isArray(value) ? '[]' : '{}'
  if (fields.length === 0) {
    return (
      <div className="json-leaf">
        {label}
        {`${opening}${closing}`}
      </div>
    )
  }
  return (
    <details open={depth < OPEN_DEPTH}>
      <summary>
        {label}
        <span className="json-size">{`${opening} ${fields.length} ${closing}`}</span>
      </summary>
      {fields.slice(0, SHOWN_FIELDS).map(([key, field]) => (
        <ValueView key={key} name={key} value={field} depth={depth + 1} />
      ))}
      {fields.length > SHOWN_FIELDS && (
        <p className="meta">{say('tools.more', { count: fields.length - SHOWN_FIELDS })}</p>
      )}
    </details>
  )
}
