import {
  type Entry,
  type SearchHit,
  type SearchQuery,
  searchableText,
  searchTokens,
  snippet,
} from '@holdfast/conversation'

/** How long a hit's passage is, in UTF-16 code units. */
const SNIPPET_LENGTH = 160

/** The words under which an entry is found, in their order; null when it is not searched. */
export function searchWords(entry: Entry): readonly string[] | null {
  const text = searchableText(entry)
  if (text === null) return null
  const words = searchTokens(text).map(({ token }) => token)
  return words.length === 0 ? null : words
}

/** How far passages are looked for, in UTF-16 code units: in one text, and in all of a search together. */
const LOOKED_AT = { ofText: 50_000, ofSearch: 200_000 }

/**
 * What makes hits of the entries of one search: somebody waits for it, and others wait meanwhile. What is found too far in
 * shows its beginning. [SEC5]
 */
export function createSearchHits(query: SearchQuery): (entry: Entry, title: string | null) => SearchHit {
  let left = LOOKED_AT.ofSearch
  return (entry, title) => {
    const text = searchableText(entry) ?? ''
    const lookedAt = Math.min(LOOKED_AT.ofText, left, text.length)
    left -= lookedAt
    const passage = snippet(text, query, { length: SNIPPET_LENGTH, lookedAt })
    const { conversationId, seq, at } = entry
    return { conversationId, title, seq, at, snippet: passage.text, highlights: passage.highlights }
  }
}
