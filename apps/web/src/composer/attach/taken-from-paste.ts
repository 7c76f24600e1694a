/** A text of so many characters goes along as a file, and does not fill the field. */
const LONG_TEXT_CHARS = 4_000

/** What is pasted beside words that stay in the field. */
export type Pasted =
  | { readonly type: 'files'; readonly files: readonly File[] }
  | { readonly type: 'text'; readonly text: string }

/**
 * What of a paste is attached; null where it goes into the field. Cells of a table come as words with their picture, a
 * picture of a page with its address as markup, a file with its name as words.
 */
export function takenFromPaste(data: DataTransfer): Pasted | null {
  const words = data.getData('text/plain')
  const isMarkedUp = data.types.includes('text/html')
  const files = [...data.files]
  if (files.length > 0 && !(words.trim() !== '' && isMarkedUp)) return { type: 'files', files }
  return words.length >= LONG_TEXT_CHARS ? { type: 'text', text: words } : null
}
