import { type Client, RequestFailedError, type SearchHit } from '@holdfast/client'
import { useEffect, useState } from 'react'
import { errorText } from '../problem-words.ts'

/** Typing must rest for so long before the server is asked, in milliseconds. */
const REST_MS = 120

/** What a search has found. */
export type SearchState =
  | { readonly type: 'idle' }
  | { readonly type: 'searching' }
  | { readonly type: 'found'; readonly hits: readonly SearchHit[] }
  | { readonly type: 'failed'; readonly problem: string }

/** Searches the text of all conversations; nothing for fewer than two characters. */
export function useSearch(client: Client, words: string): SearchState {
  const [state, setState] = useState<SearchState>({ type: 'idle' })
  const wanted = words.trim()
  useEffect(() => {
    if (wanted.length < 2) {
      setState({ type: 'idle' })
      return
    }
    let isCurrent = true
    setState({ type: 'searching' })
    const timer = setTimeout(() => void search(), REST_MS)
    async function search(): Promise<void> {
      const found = await searched(client, wanted)
      if (isCurrent) setState(found)
    }
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [client, wanted])
  return state
}

async function searched(client: Client, words: string): Promise<SearchState> {
  try {
    return { type: 'found', hits: await client.search(words) }
  } catch (error) {
    if (!(error instanceof RequestFailedError)) throw error
    return { type: 'failed', problem: errorText(error) }
  }
}
