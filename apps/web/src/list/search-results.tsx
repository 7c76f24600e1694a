import type { Client } from '@holdfast/client'
import { listTime } from '../format.ts'
import { say } from '../language/say.ts'
import { goToMessage, messagePath } from '../message-target.ts'
import { MarkedWords } from './marked-words.tsx'
import { useSearch } from './use-search.ts'

interface SearchResultsProps {
  readonly client: Client
  readonly words: string
  readonly onChosen: () => void
}

/** Where searched words stand in the messages of all conversations. */
export function SearchResults({ client, words, onChosen }: SearchResultsProps) {
  const state = useSearch(client, words)
  if (state.type === 'idle') return null
  if (state.type === 'searching') return <p className="meta">{say('list.searching-messages')}</p>
  if (state.type === 'failed')
    return <p className="problem">{say('list.messages-could-not-be-searched', { problem: state.problem })}</p>
  const now = Date.now()
  return (
    <section data-testid="search-results">
      <h2 role="status">
        {state.hits.length === 0
          ? say('list.no-message-holds-words', { words: words.trim() })
          : say('list.messages-found', { count: state.hits.length })}
      </h2>
      <ul>
        {state.hits.map((hit) => (
          <li key={`${hit.conversationId} ${hit.seq}`}>
            <a
              className="search-hit"
              data-testid="search-hit"
              href={messagePath(hit.conversationId, hit.seq)}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return
                event.preventDefault()
                goToMessage(hit.conversationId, hit.seq)
                onChosen()
              }}
            >
              <span className="search-title" dir="auto">
                {hit.title ?? say('common.untitled')} <time className="meta">{listTime(hit.at, now)}</time>
              </span>
              <span className="search-snippet" dir="auto">
                <MarkedWords found={hit} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
