import type { InputPart } from './content.ts'
import type { Entry } from './entry.ts'

/** Words that stand next to each other, in the form in which they are indexed. */
export interface SearchPhrase {
  readonly tokens: readonly string[]
  /** Whether the last word may be the beginning of a longer one: the one being typed. */
  readonly prefix: boolean
}

/** What a search asks for: all of the phrases. */
export interface SearchQuery {
  readonly phrases: readonly SearchPhrase[]
}

/** A word of a text: its indexed form, and where it stands, in UTF-16 code units. */
export interface SearchToken {
  readonly token: string
  readonly from: number
  readonly to: number
}

/** A passage of a text with the ranges of the found words in it, in UTF-16 code units of the passage. */
export interface Snippet {
  readonly text: string
  readonly highlights: readonly { readonly from: number; readonly to: number }[]
}

/** Scripts that are written without spaces: each character is a word, and a query for several is a phrase. */
const CHARACTER_SCRIPTS =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}'

const WORD = new RegExp(
  `[${CHARACTER_SCRIPTS}]\\p{M}*|(?:(?![${CHARACTER_SCRIPTS}])[\\p{L}\\p{N}])(?:(?![${CHARACTER_SCRIPTS}])[\\p{L}\\p{N}\\p{M}])*`,
  'gu',
)

/** Texts of ASCII alone, and their words. */
const PLAIN = /^[\x20-\x7e\s]*$/
const PLAIN_WORD = /[a-z0-9]+/gi

/** The most phrases of a query; more of them narrow what is found no further. */
const MAX_PHRASES = 16

/** The most words of a phrase; a longer one is found by its first words. */
const MAX_PHRASE_WORDS = 32

/** Longer runs of letters and digits (hashes, encoded data) are cut: nobody searches for all of one. */
const MAX_TOKEN_LENGTH = 64

/** What of an entry can be found: the words of people and models, titles and summaries, each once; null for all else. */
export function searchableText(entry: Entry): string | null {
  switch (entry.type) {
    case 'user-message-sent':
      return entry.content.flatMap(foundIn).join('\n')
    case 'step-finished':
      if (entry.purpose !== undefined) return null
      return entry.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
    case 'title-changed':
      return entry.title
    case 'checkpoint-made':
      return entry.summary
    default:
      return null
  }
}

/** What of a message can be found: its words, and the names of what goes along. */
function foundIn(part: InputPart): readonly string[] {
  if (part.type === 'text' || part.type === 'quote') return [part.text]
  if (part.type === 'mention') return [part.name ?? part.id, ...(part.kind === 'file' ? [part.id] : [])]
  if (part.type === 'canvas') return [part.name ?? part.elementId]
  if (part.type === 'link') return [part.title ?? '', part.url]
  return part.type === 'error' ? [part.text] : []
}

/** The words of a text, folded so that case, accents and width do not matter. */
export function searchTokens(text: string): SearchToken[] {
  const tokens: SearchToken[] = []
  // Most texts are plain, and every append pays for this: the same words, without the tables of Unicode.
  const plain = PLAIN.test(text)
  for (const match of text.matchAll(plain ? PLAIN_WORD : WORD)) {
    const token = plain ? match[0].toLowerCase().slice(0, MAX_TOKEN_LENGTH) : fold(match[0])
    if (token !== '') tokens.push({ token, from: match.index, to: match.index + match[0].length })
  }
  return tokens
}

/**
 * Reads what a person typed: words that must all occur, "quoted words" that must stand together, and the
 * last word as a beginning unless a space or a quote ends it, at most 16 of them, each once, and of
 * each the first 32 words. Characters of scripts without spaces that
 * stand together are a phrase.
 */
export function parseSearchQuery(typed: string): SearchQuery {
  const phrases = new Map<string, SearchPhrase>()
  for (const match of typed.matchAll(/"([^"]*)"?|[^\s"]+/g)) {
    const quoted = match[1]
    const tokens = searchTokens(quoted ?? match[0]).map(({ token }) => token)
    const isLast = match.index + match[0].length === typed.length
    if (tokens.length === 0) continue
    const prefix = isLast && !/["\s]$/.test(match[0]) && tokens.length <= MAX_PHRASE_WORDS
    const words = tokens.slice(0, MAX_PHRASE_WORDS)
    phrases.set(`${words.join(' ')}${prefix ? '*' : ''}`, { tokens: words, prefix })
    if (phrases.size === MAX_PHRASES) break
  }
  return { phrases: [...phrases.values()] }
}

/**
 * The passage of at most about `length` code units around the first place where a phrase stands, looked for in the first
 * `lookedAt` code units of the text.
 */
export function snippet(
  text: string,
  query: SearchQuery,
  { length, lookedAt }: { readonly length: number; readonly lookedAt: number },
): Snippet {
  const tokens = searchTokens(text.slice(0, boundary(text, Math.min(text.length, lookedAt))))
  const firstIndex = tokens.findIndex((_, start) => query.phrases.some((phrase) => stands(tokens, start, phrase)))
  const first = tokens[firstIndex]?.from ?? 0
  const from = boundary(text, Math.max(0, first - Math.floor(length / 3)))
  const to = boundary(text, Math.min(text.length, from + length))
  const highlights: { from: number; to: number }[] = []
  for (let start = Math.max(0, firstIndex); (tokens[start]?.from ?? to) < to; start++)
    for (const phrase of query.phrases) {
      const last = tokens[start + phrase.tokens.length - 1]
      const begin = tokens[start]
      if (firstIndex === -1 || !begin || !last || !stands(tokens, start, phrase)) continue
      highlights.push({ from: begin.from - from, to: Math.min(last.to, to) - from })
    }
  return { text: text.slice(from, to), highlights: merged(highlights) }
}

function stands(tokens: readonly SearchToken[], start: number, { tokens: words, prefix }: SearchPhrase): boolean {
  return words.every((word, index) => {
    const token = tokens[start + index]?.token
    return token !== undefined && (token === word || (prefix && index === words.length - 1 && token.startsWith(word)))
  })
}

function merged(ranges: readonly { from: number; to: number }[]): { from: number; to: number }[] {
  const result: { from: number; to: number }[] = []
  for (const range of ranges) {
    const last = result.at(-1)
    if (last && range.from < last.to) last.to = Math.max(last.to, range.to)
    else result.push({ ...range })
  }
  return result
}

/** A position that does not part a surrogate pair. */
function boundary(text: string, position: number): number {
  return /[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, position - 1), position + 1))
    ? position - 1
    : position
}

/** By way of capitals, so that ß is ss; lower case comes first because the capital ẞ has no other. */
function fold(word: string): string {
  const capitals = word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .toUpperCase()
  const letters = capitals.toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')
  const token = letters.replace(/[^\p{L}\p{N}]+/gu, '')
  return token.slice(0, boundary(token, MAX_TOKEN_LENGTH))
}
