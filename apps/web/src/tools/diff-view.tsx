import { markHidden } from '@holdfast/conversation'
import type { DiffLine } from './diff-of.ts'

const SIGNS: Readonly<Record<DiffLine['type'], string>> = { same: ' ', added: '+', removed: '−', place: ' ' }
const SAID: Readonly<Record<DiffLine['type'], string>> = { same: '', added: 'added', removed: 'removed', place: '' }

/** A change, line by line; a sign says what a colour says. */
export function DiffView({ lines }: { readonly lines: readonly DiffLine[] }) {
  return (
    <div className="diff" dir="ltr">
      <DiffLines lines={lines} />
    </div>
  )
}

/** The lines alone, for a box that watches how far it was read. */
export function DiffLines({ lines }: { readonly lines: readonly DiffLine[] }) {
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a change are never moved
    <div key={index} className={`diff-line ${line.type}`}>
      <span className="diff-number">{line.number ?? ''}</span>
      <span className="diff-sign">
        <span aria-hidden="true">{SIGNS[line.type]}</span>
        <span className="visually-hidden">{SAID[line.type]}</span>
      </span>
      <span>{markHidden(line.text)}</span>
    </div>
  ))
}
