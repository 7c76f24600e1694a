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

/** An entry that has the words, as the search shows it. */
export function toSearchHit(entry: Entry, title: string | null, query: SearchQuery): SearchHit {
  const { text, highlights } = snippet(searchableText(entry) ?? '', query, SNIPPET_LENGTH)
  const { conversationId, seq, at } = entry
  return { conversationId, title, seq, at, snippet: text, highlights }
}
