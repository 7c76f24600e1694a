import type { SearchPhrase, SearchQuery } from '@holdfast/conversation'

/**
 * A text is indexed as one or more passages, because a tsvector holds positions up to 16,383, 256 places of
 * one word, and a megabyte in all; what goes beyond is dropped without a word.
 * https://www.postgresql.org/docs/15/textsearch-limitations.html
 */
const MAX_WORDS = 10_000
const MAX_PLACES = 255
const MAX_BYTES = 500_000

/** Each passage begins with the last words of the one before, so that a phrase of so many words stands whole in one. */
const OVERLAP_WORDS = 100

/** One passage, ready for its column. */
export interface SearchPassage {
  readonly number: number
  /** Whether it is the only passage of its text. */
  readonly isWhole: boolean
  /** The words with their places, as a tsvector literal. */
  readonly words: string
}

/** The passages of a text's words. The owner stands in each as a word of its own, so that the index finds no other's. */
export function searchPassages(words: readonly string[], ownerId: string): SearchPassage[] {
  const literals: string[] = []
  for (let start = 0; start < words.length; ) {
    const places = passageFrom(words, start)
    const end = start + places.count
    literals.push(vectorLiteral(places.byWord, ownerId))
    start = end >= words.length ? end : end - OVERLAP_WORDS
  }
  return literals.map((literal, number) => ({ number, isWhole: literals.length === 1, words: literal }))
}

/** What to look for in a text that is one passage: all phrases. */
export function wholeQuery({ phrases }: SearchQuery, ownerId: string): string {
  return [ownerWord(ownerId), ...phrases.map(phraseQuery)].join(' & ')
}

/** What to look for in a text of several passages: each phrase may stand in another. */
export function phraseQueries({ phrases }: SearchQuery, ownerId: string): string[] {
  return phrases.map((phrase) => `${ownerWord(ownerId)} & ${phraseQuery(phrase)}`)
}

/** Takes words from `start` on until one of the limits is reached. */
function passageFrom(
  words: readonly string[],
  start: number,
): { byWord: ReadonlyMap<string, readonly number[]>; count: number } {
  const byWord = new Map<string, number[]>()
  let bytes = 0
  let count = 0
  while (count < MAX_WORDS && bytes < MAX_BYTES) {
    const word = words[start + count]
    if (word === undefined) break
    const places = byWord.get(word)
    if (places && places.length >= MAX_PLACES) break
    count += 1
    bytes += places ? 2 : Buffer.byteLength(word) + 8
    if (places) places.push(count)
    else byWord.set(word, [count])
  }
  return { byWord, count }
}

function vectorLiteral(byWord: ReadonlyMap<string, readonly number[]>, ownerId: string): string {
  const words = [ownerWord(ownerId)]
  for (const [word, places] of byWord) words.push(`${quoted(word)}:${places.join(',')}`)
  return words.join(' ')
}

/** A longer phrase is found by its first words. */
function phraseQuery({ tokens, prefix }: SearchPhrase): string {
  const words = tokens.slice(0, OVERLAP_WORDS)
  const isCut = words.length < tokens.length
  const last = words.length - 1
  return `(${words.map((word, index) => quoted(word) + (prefix && !isCut && index === last ? ':*' : '')).join(' <-> ')})`
}

/** No word of a text begins with this sign. */
function ownerWord(ownerId: string): string {
  return quoted(`=${ownerId}`)
}

function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
