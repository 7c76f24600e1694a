/** The words that a name is made of, in lower case: `createHttpServer` and `create_http_server` have the same three. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word.length >= SHORTEST)
    .map(stemOf)
}

/** A shorter word says nothing of a file. */
const SHORTEST = 3

/** Endings that words of a question have and names do not, or the other way about. */
function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|ing|ed|es|s|e)$/, '') : word
}
