import { type Entry, searchableText, searchTokens } from '@holdfast/conversation'

/** `searchTokens` cuts longer words off; the index's own tokenizer does not. */
const LONGEST_WORD = 64

/**
 * What of an entry goes into the search index: its words with spaces between them, or a text in which the
 * index finds the same words. Null when the entry is not searched.
 */
export function indexedText(entry: Entry): string | null {
  const text = searchableText(entry)
  if (text === null) return null
  // Most texts are plain, and every append pays for this.
  if (isPlain(text)) return text
  const words = searchTokens(text)
  return words.length === 0 ? null : words.map(({ token }) => token).join(' ')
}

/**
 * Whether the index's tokenizer cuts and folds a text as `searchTokens` does: ASCII with at least one word, and
 * none that is too long. A loop, because the regular expression for long words looks at each letter of a word
 * again for every letter before it.
 */
function isPlain(text: string): boolean {
  let wordLength = 0
  let hasWord = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0 || code > 0x7e) return false
    if (isLetterOrDigit(code)) {
      wordLength += 1
      if (wordLength > LONGEST_WORD) return false
      hasWord = true
    } else wordLength = 0
  }
  return hasWord
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)
}
