import type { SearchHit } from '@holdfast/conversation'
import type { ReactNode } from 'react'

/** Words that were found, with those that were looked for marked. */
export type FoundWords = Pick<SearchHit, 'snippet' | 'highlights'>

/** Shows them. */
export function MarkedWords({ found: { snippet, highlights } }: { readonly found: FoundWords }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const { from, to } of highlights) {
    parts.push(snippet.slice(end, from), <mark key={from}>{snippet.slice(from, to)}</mark>)
    end = to
  }
  return [...parts, snippet.slice(end)]
}
