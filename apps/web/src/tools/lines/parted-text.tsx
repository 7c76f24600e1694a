import { markHidden } from '@holdfast/conversation'
import { useMemo, useRef } from 'react'
import { useFromTheTop } from './diff-view.tsx'
import type { Row } from './parts.ts'
import { PartLine, useParts } from './use-parts.tsx'

/** A text as it is, a part of it at a time. */
export function PartedText({ text, dir }: { readonly text: string; readonly dir: 'ltr' | 'auto' }) {
  const box = useRef<HTMLPreElement>(null)
  const lines = useMemo(() => textLines(text), [text])
  const part = useParts(lines)
  useFromTheTop(box, part.rows)
  return (
    <>
      <PartLine part={part} which="before" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <pre ref={box} className="printed" dir={dir} tabIndex={0}>
        {markHidden(rowsText(part.rows))}
      </pre>
      <PartLine part={part} which="after" />
    </>
  )
}

/** A line of a text that is no change. */
export interface TextLine {
  readonly text: string
}

/** The lines of a text, each as what can be shown in parts. */
export function textLines(text: string): readonly TextLine[] {
  return text.split('\n').map((line) => ({ text: line }))
}

/** Rows as the text that they are of. */
export function rowsText(rows: readonly Row<TextLine>[]): string {
  return rows.map(({ text, isContinued }, index) => (index === 0 || isContinued ? text : `\n${text}`)).join('')
}
