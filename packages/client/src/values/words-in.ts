/** A text as JSON; undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/** What people write stands under these names, in every version of what is kept. */
const NAMES_OF_WORDS: ReadonlySet<string> = new Set(['text', 'words', 'title', 'summary', 'reason', 'message'])

/** The words of a person in something whose form is not known any more: a text itself, or all that is called one. */
export function wordsIn(kept: unknown): string {
  return typeof kept === 'string' ? kept : textsIn(kept).join('\n\n')
}

function textsIn(kept: unknown): readonly string[] {
  if (typeof kept !== 'object' || kept === null) return []
  return Object.entries(kept).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== 'string') return textsIn(value)
    return NAMES_OF_WORDS.has(name) && value.trim() !== '' ? [value] : []
  })
}
