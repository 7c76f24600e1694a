import {
  type ConversationListing,
  type Entry,
  type ListQuery,
  listing,
  type SearchHit,
  type SearchPhrase,
  type SearchRequest,
  searchableText,
  searchTokens,
  toListing,
} from '@holdfast/conversation'
import { createSearchHits, LOOKED_AT_OF_SEARCH } from '../shared/search-row.ts'
import type { MemoryData, MemoryLog } from './memory-data.ts'
import { allEntries } from './memory-log.ts'

/** A page of the list, newest change first. */
export function listConversations(
  data: MemoryData,
  { ownerId, archived, limit, before }: ListQuery,
): ConversationListing[] {
  const rows = [...data.logs.values()]
    .map((log) => toListing(log.listing))
    .filter((row) => row.ownerId === ownerId && row.archived === archived)
    .sort(byNewest)
  const start = before ? rows.findIndex((row) => byNewest(row, before) > 0) : 0
  return start < 0 ? [] : rows.slice(start, start + limit)
}

/** The row of one conversation. */
export function readListing(data: MemoryData, conversationId: string): ConversationListing | null {
  const log = data.logs.get(conversationId)
  return log ? toListing(log.listing) : null
}

/** Makes the row anew. The search has no index here: it reads the logs. */
export function reindexLog(log: MemoryLog | undefined): void {
  if (log) log.listing = listing.reduce(listing.initial, allEntries(log))
}

/** Looks through every text of the owner. */
export function searchLogs(data: MemoryData, { ownerId, query, limit }: SearchRequest): SearchHit[] {
  if (query.phrases.length === 0) return []
  const found: { readonly entry: Entry; readonly title: string | null }[] = []
  for (const log of data.logs.values()) {
    if (log.ownerId !== ownerId) continue
    const title = toListing(log.listing).title
    for (const entry of allEntries(log)) {
      const text = searchableText(entry)
      if (text === null || !holdsAll(text, query.phrases)) continue
      found.push({ entry, title })
    }
  }
  const { toHit } = createSearchHits(query, LOOKED_AT_OF_SEARCH)
  return found
    .sort(({ entry: a }, { entry: b }) => b.at - a.at || b.seq - a.seq)
    .slice(0, limit)
    .map(({ entry, title }) => toHit(entry, title))
}

function holdsAll(text: string, phrases: readonly SearchPhrase[]): boolean {
  const tokens = searchTokens(text).map(({ token }) => token)
  return phrases.every((phrase) => holds(tokens, phrase))
}

function holds(tokens: readonly string[], { tokens: words, prefix }: SearchPhrase): boolean {
  return tokens.some((_, start) =>
    words.every((word, index) => {
      const token = tokens[start + index]
      return token === word || (prefix && index === words.length - 1 && token?.startsWith(word))
    }),
  )
}

type Place = { readonly updatedAt: number; readonly conversationId: string }

function byNewest(a: Place, b: Place): number {
  if (a.updatedAt !== b.updatedAt) return b.updatedAt - a.updatedAt
  if (a.conversationId === b.conversationId) return 0
  return a.conversationId < b.conversationId ? 1 : -1
}
