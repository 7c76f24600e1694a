import type { Entry, SearchHit, SearchQuery } from '@holdfast/conversation'
import { searchableText, searchTokens, snippet } from '@holdfast/conversation/stored'

/** How long a hit's passage is, in UTF-16 code units. */
const SNIPPET_LENGTH = 160

/** The words under which an entry is found, in their order; null when it is not searched. */
export function searchWords(entry: Entry): readonly string[] | null {
  const text = searchableText(entry)
  if (text === null) return null
  const words = searchTokens(text).map(({ token }) => token)
  return words.length === 0 ? null : words
}

/** How far passages are looked for in one text, in UTF-16 code units. */
const LOOKED_AT_OF_TEXT = 50_000

/** How far passages are looked for in all texts of one search together, in UTF-16 code units. */
export const LOOKED_AT_OF_SEARCH = 200_000

/** Makes hits of the entries of one search. */
export interface SearchHits {
  toHit(entry: Entry, title: string | null): SearchHit
  /** How far passages of the entries to come are looked for, in UTF-16 code units. */
  left(): number
}

/**
 * What makes hits of entries: somebody waits for it, and others wait meanwhile. What is found too far in shows its
 * beginning. `lookedAt` is how far passages are looked for, in UTF-16 code units. [SEC5]
 */
export function createSearchHits(query: SearchQuery, lookedAt: number): SearchHits {
  let left = lookedAt
  return {
    toHit(entry, title) {
      const text = searchableText(entry) ?? ''
      const ofText = Math.min(LOOKED_AT_OF_TEXT, left, text.length)
      left -= ofText
      const passage = snippet(text, query, { length: SNIPPET_LENGTH, lookedAt: ofText })
      const { conversationId, seq, at } = entry
      return { conversationId, title, seq, at, snippet: passage.text, highlights: passage.highlights }
    },
    left: () => left,
  }
}
