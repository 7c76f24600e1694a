import type { Json } from '@holdfast/conversation'
import { CopyButton } from '../copy-button.tsx'
import { type RequestRow, requestRows } from './request-shape.ts'

/** A request in the order in which the provider reads it, with the line up to which it may come from the cache. */
export function RequestView({ request }: { readonly request: Readonly<Record<string, Json>> }) {
  const rows = requestRows(request)
  const exact = () => JSON.stringify(request, null, 2)
  if (!rows) {
    return (
      <pre className="terminal" dir="ltr">
        {exact()}
      </pre>
    )
  }
  const boundary = boundaryOf(rows)
  return (
    <div className="request" data-testid="request-view">
      <div className="request-acts">
        <CopyButton text={exact} label="Copy request" />
      </div>
      <ol>
        {rows.map((row, index) => (
          <li key={row.key} className={index === boundary ? 'request-row boundary' : 'request-row'}>
            <details>
              <summary>
                <strong>{row.name}</strong>
                <span className="request-text" dir="auto">
                  {row.text.slice(0, 200)}
                </span>
              </summary>
              <pre dir="auto">{row.text}</pre>
            </details>
            {index === boundary && (
              <p className="cache-boundary" data-testid="cache-boundary">
                Cache boundary <span>above: as in the request before, below: new</span>
              </p>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** The last row but one that has a mark: what the request before wrote. The last mark is written by this one. */
function boundaryOf(rows: readonly RequestRow[]): number {
  const marked = rows.flatMap(({ isMarked }, index) => (isMarked ? [index] : []))
  return marked.at(-2) ?? -1
}
