import { markHidden } from '@holdfast/conversation'
import { type RefObject, useEffect, useRef } from 'react'
import type { DiffLine } from './diff-of.ts'
import type { Row } from './parts.ts'
import { PartLine, useParts } from './use-parts.tsx'

const SIGNS: Readonly<Record<DiffLine['type'], string>> = { same: ' ', added: '+', removed: '−', place: ' ' }
const SAID: Readonly<Record<DiffLine['type'], string>> = { same: '', added: 'added', removed: 'removed', place: '' }

/** A change, line by line, a part of it at a time; a sign says what a colour says. `lines` must stay the same while nothing changes. */
export function DiffView({ lines }: { readonly lines: readonly DiffLine[] }) {
  const box = useRef<HTMLDivElement>(null)
  const part = useParts(lines)
  useFromTheTop(box, part.rows)
  return (
    <>
      <PartLine part={part} which="before" />
      <div ref={box} className="diff" dir="ltr">
        <DiffRows rows={part.rows} />
      </div>
      <PartLine part={part} which="after" />
    </>
  )
}

/** Another part is read from its beginning. */
export function useFromTheTop(box: RefObject<HTMLElement | null>, rows: readonly unknown[]): void {
  useEffect(() => {
    if (box.current && rows.length > 0) box.current.scrollTop = 0
  }, [box, rows])
}

/** The rows alone, for a box that watches how far it was read. */
export function DiffRows({ rows }: { readonly rows: readonly Row<DiffLine>[] }) {
  return rows.map(({ type, text, number, isContinued }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a change are never moved
    <div key={index} className={`diff-line ${type}`}>
      <span className="diff-number">{isContinued ? '' : (number ?? '')}</span>
      <span className="diff-sign">
        <span aria-hidden="true">{isContinued ? ' ' : SIGNS[type]}</span>
        <span className="visually-hidden">{isContinued ? '' : SAID[type]}</span>
      </span>
      <span>{markHidden(text)}</span>
    </div>
  ))
}
