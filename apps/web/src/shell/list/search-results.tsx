import type { Client } from '@holdfast/client'
import { markHidden, type SearchHit } from '@holdfast/conversation'
import { useMemo } from 'react'
import { goToMessage, messagePath } from '../../shared/address.ts'
import { type Asked, useAskedAtRest } from '../../shared/ask-server.ts'
import { listTime } from '../../shared/format.ts'
import { say } from '../../shared/language/say.ts'
import { MarkedWords } from './marked-words.tsx'

interface SearchResultsProps {
  readonly client: Client
  readonly words: string
  readonly onChosen: () => void
}

/** Where searched words stand in the messages of all conversations. */
export function SearchResults({ client, words, onChosen }: SearchResultsProps) {
  const state = useSearch(client, words)
  if (state.type === 'idle') return null
  if (state.type === 'asking') return <p className="meta">{say('list.searching-messages')}</p>
  if (state.type === 'failed')
    return <p className="problem">{say('list.messages-could-not-be-searched', { problem: state.problem })}</p>
  const now = Date.now()
  const hits = state.value
  return (
    <section data-testid="search-results">
      <h2 role="status">
        {hits.length === 0
          ? say('list.no-message-holds-words', { words: words.trim() })
          : say('list.messages-found', { count: hits.length })}
      </h2>
      <ul>
        {hits.map((hit) => (
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
                {markHidden(hit.title ?? say('common.untitled'))} <time className="meta">{listTime(hit.at, now)}</time>
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

/** Typing must rest for so long before the server is asked, in milliseconds. */
const REST_MS = 120

/** What a search has found. */
export type SearchState = { readonly type: 'idle' } | Asked<readonly SearchHit[]>

/** Searches the text of all conversations; nothing for fewer than two characters. */
export function useSearch(client: Client, words: string): SearchState {
  const wanted = words.trim()
  const ask = useMemo(() => (wanted.length < 2 ? null : () => client.search(wanted)), [client, wanted])
  const { asked, isNewest } = useAskedAtRest(ask, REST_MS)
  if (ask === null) return IDLE
  return isNewest ? asked : SEARCHING
}

const IDLE = { type: 'idle' } as const
const SEARCHING = { type: 'asking', value: null, problem: null } as const
