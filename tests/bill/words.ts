const NOUNS = 'harbour ledger window anchor lantern bridge orchard signal copper valley archive engine garden meadow'
  .split(' ')
  .sort()
const VERBS = 'keeps holds counts follows opens mends carries marks reads closes'.split(' ')

/** Plain English of about so many tokens, four characters each; the same for the same seed, another for another. */
export function wordsOf(seed: number, tokens: number): string {
  const parts: string[] = []
  let length = 0
  for (let index = seed * 7 + 1; length < tokens * 4; index++) {
    const noun = NOUNS[(index * 5 + seed) % NOUNS.length] ?? ''
    const verb = VERBS[(index * 3 + seed) % VERBS.length] ?? ''
    const sentence = `The ${noun} of row ${index} ${verb} the ${NOUNS[(index + seed) % NOUNS.length] ?? ''}.`
    parts.push(sentence)
    length += sentence.length + 1
  }
  return parts.join(' ')
}
