/** The beginning of a code block at the left edge. */
export interface CodeFence {
  readonly language: string | null
  /** Where the code begins, in UTF-16 code units. */
  readonly contentAt: number
  readonly closing: RegExp
}

/** The code block that opens exactly here, once its first line is whole. */
export function openFence(text: string, at: number): CodeFence | null {
  const opening = /(`{3,}|~{3,})([^\n]*)\n/y
  opening.lastIndex = at
  const [line, mark = '', info = ''] = opening.exec(text) ?? []
  if (line === undefined || (mark.startsWith('`') && info.includes('`'))) return null
  const [language = ''] = info.trim().split(/\s/)
  return {
    language: language === '' ? null : language,
    contentAt: at + line.length,
    closing: new RegExp(`^ {0,3}${mark.slice(0, 1)}{${mark.length},}[ \\t]*$`, 'gm'),
  }
}

/** Where a code block ends: its last line break does not belong to the code. A mark at the text's end may yet grow. */
export function closingFence(
  text: string,
  { contentAt, closing }: CodeFence,
): { readonly contentEnd: number; readonly end: number } | null {
  closing.lastIndex = contentAt
  const match = closing.exec(text)
  if (!match) return null
  return { contentEnd: Math.max(contentAt, match.index - 1), end: match.index + match[0].length }
}
