/** Points of a letter at the beginning of a word, and of one that follows another that was found. */
const WORD_START = 8
const NEXT_LETTER = 5

/**
 * How well a text holds the letters of a query in their order, whatever stands between them: more is better, null is not at all.
 * Case and accents make no difference.
 */
export function fuzzyScore(text: string, query: string): number | null {
  const letters = plain(query).replace(/\s+/g, '')
  if (letters === '') return 0
  const within = plain(text)
  const whole = within.indexOf(plain(query).trim())
  if (whole >= 0) return 1_000 - Math.min(whole, 400) + (isWordStart(within, whole) ? 200 : 0) - within.length / 100
  let score = 0
  let last = -2
  for (const letter of letters) {
    const at = within.indexOf(letter, last + 1)
    if (at < 0) return null
    score += at === last + 1 ? NEXT_LETTER : isWordStart(within, at) ? WORD_START : 0
    last = at
  }
  return score - within.length / 100
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[\s\-_/.:(]/.test(text[at - 1] ?? '')
}
