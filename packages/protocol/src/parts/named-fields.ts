/** A field at the beginning of a sentence of `inputWords`, and of others that name one. */
const FIELD = /(^|[.:] )([a-z]\w*(?:\.\w+)*)(?=: | is | has )/g

/**
 * The same words with fields as people know them: `nameOf` says what one is called, null for what is no field of theirs.
 * Only what begins a sentence is a field. [CLI41, UI114]
 */
export function namedFields(text: string, nameOf: (field: string) => string | null): string {
  return text.replaceAll(FIELD, (whole: string, before: string, field: string) => {
    const name = nameOf(field)
    return name === null ? whole : `${before}${name}`
  })
}
