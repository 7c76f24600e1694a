import type { DiffLine } from './diff-of.ts'

const SIGNS: Readonly<Record<DiffLine['type'], string>> = { same: ' ', added: '+', removed: '−', place: ' ' }
const SAID: Readonly<Record<DiffLine['type'], string | undefined>> = {
  same: undefined,
  added: 'added',
  removed: 'removed',
  place: undefined,
}

/** A change, line by line; a sign says what a colour says. */
export function DiffView({ lines }: { readonly lines: readonly DiffLine[] }) {
  return (
    <div className="diff" dir="ltr" role="group" aria-label="Changes">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a change are never moved
        <div key={index} className={`diff-line ${line.type}`}>
          <span className="diff-number">{line.number ?? ''}</span>
          <span className="diff-sign" role={SAID[line.type] && 'img'} aria-label={SAID[line.type]}>
            {SIGNS[line.type]}
          </span>
          <span>{line.text}</span>
        </div>
      ))}
    </div>
  )
}
