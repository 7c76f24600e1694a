import { searchTokens } from '@holdfast/conversation'
import type { Memory } from './memory.ts'

/** A query of fewer letters has to stand as a whole word. */
const SHORTEST_BEGINNING = 3

/** A memory that answers a query, and how well. */
export interface RankedMemory {
  readonly memory: Memory
  readonly score: number
}

/**
 * The memories that hold words of a query, the best first: a rare word counts for more than a common one. In scripts
 * without spaces, two characters that stand together are a word.
 *
 * @param memories - oldest first; of two that answer as well the newer one comes first.
 * @param onlyRare - leaves out words that many memories hold; for a question, whose words were not chosen to search.
 */
export function rankMemories(
  memories: readonly Memory[],
  query: string,
  { onlyRare }: { readonly onlyRare: boolean },
): readonly RankedMemory[] {
  const words = memories.map(({ text }) => wordsOf(text))
  const asked = [...queryWordsOf(query)]
  const holders = asked.map((word) => words.map((held) => holds(held, word)))
  const mostHolders = onlyRare ? Math.max(2, Math.floor(memories.length / 10)) : memories.length
  const weights = holders.map((held) => {
    const count = held.filter(Boolean).length
    return count === 0 || count > mostHolders ? 0 : Math.log(1 + memories.length / count)
  })
  return memories
    .map((memory, index) => ({
      memory,
      score: weights.reduce((sum, weight, at) => (holders[at]?.[index] ? sum + weight : sum), 0),
    }))
    .filter(({ score }) => score > 0)
    .toReversed()
    .toSorted((one, other) => other.score - one.score)
}

/** Whether two texts say the same in the same words, whatever their case, accents and marks. */
export function areSameWords(one: string, other: string): boolean {
  return foldedWords(one) === foldedWords(other)
}

/** A text without any word, such as one of emoji, is compared as it stands. */
function foldedWords(text: string): string {
  const folded = searchTokens(text).map(({ token }) => token)
  return folded.length === 0 ? text : folded.join(' ')
}

function holds(held: ReadonlySet<string>, word: string): boolean {
  if (held.has(word)) return true
  return word.length >= SHORTEST_BEGINNING && [...held].some((other) => other.startsWith(word))
}

/** Words, characters of scripts without spaces, and pairs of those. */
function wordsOf(text: string): ReadonlySet<string> {
  const tokens = searchTokens(text)
  return new Set([...tokens.map(({ token }) => token), ...pairsOf(tokens)])
}

/** Words, and pairs where characters stand together: one character alone says little. */
function queryWordsOf(text: string): ReadonlySet<string> {
  const tokens = searchTokens(text)
  const alone = tokens.filter(({ from, to }, at) => tokens[at - 1]?.to !== from && tokens[at + 1]?.from !== to)
  return new Set([...alone.map(({ token }) => token), ...pairsOf(tokens)])
}

/** Tokens that touch are of a script without spaces: elsewhere they would be one. */
function pairsOf(tokens: ReturnType<typeof searchTokens>): string[] {
  return tokens.flatMap(({ token, to }, at) => {
    const next = tokens[at + 1]
    return next?.from === to ? [`${token}${next.token}`] : []
  })
}
