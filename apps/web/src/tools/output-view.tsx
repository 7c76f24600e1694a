import { useState } from 'react'
import { say } from '../language/say.ts'
import { DiffView } from './diff-view.tsx'
import { JsonView } from './json-view.tsx'
import { shownText } from './output-of.ts'

/** More than this is shown when somebody asks for it. */
const SHOWN_LINES = 200

/** The first lines of what failed, which are open by themselves. */
const FIRST_LINES = 12

/** What a tool returned, as its text reads best. `isBrief`: the first lines are enough until somebody asks. */
export function OutputView({ text, isBrief }: { readonly text: string; readonly isBrief: boolean }) {
  const shown = shownText(text)
  switch (shown.type) {
    case 'diff':
      return <DiffView lines={shown.lines.slice(0, 2_000)} />
    case 'json':
      return <JsonView value={shown.value} />
    case 'terminal':
      return <TerminalView text={shown.text} limit={isBrief ? FIRST_LINES : SHOWN_LINES} />
    case 'table':
      return (
        <div className="table-frame">
          <table>
            <thead>
              <tr>
                {shown.columns.map((column) => (
                  <th key={column}>{column}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.rows.slice(0, SHOWN_LINES).map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a settled result are never moved
                <tr key={index}>
                  {shown.columns.map((column) => (
                    <td key={column} data-align={typeof row[column] === 'number' ? 'right' : undefined}>
                      {String(row[column] ?? '')}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {shown.rows.length > SHOWN_LINES && (
            <p className="meta">{say('tools.more-rows', { count: shown.rows.length - SHOWN_LINES })}</p>
          )}
        </div>
      )
  }
}

function TerminalView({ text, limit }: { readonly text: string; readonly limit: number }) {
  const [isWhole, setWhole] = useState(false)
  const lines = text.split('\n')
  if (text === '') return <p className="meta">{say('tools.nothing-was-returned')}</p>
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <pre className="terminal" dir="auto" tabIndex={0}>
        {isWhole ? text : lines.slice(0, limit).join('\n')}
      </pre>
      {!isWhole && lines.length > limit && (
        <button type="button" className="link-button" onClick={() => setWhole(true)}>
          {say('tools.show-all-lines', { count: lines.length })}
        </button>
      )}
    </>
  )
}
