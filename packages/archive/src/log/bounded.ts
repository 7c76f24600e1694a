import type { Json } from '@holdfast/conversation'

/** JSON nested deeper than this is refused: no program writes it, and it would exhaust the stack of whoever copies it. */
export const DEPTH_LIMIT = 200

/** Most characters of a title; the log takes no more. */
const TITLE_LIMIT_CHARS = 200

/** Whether JSON text nests deeper than `DEPTH_LIMIT`; looks at the text alone, so that nothing deep is ever made. */
export function isTooDeep(text: string): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) index = endOfString(text, index)
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > DEPTH_LIMIT) return true
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return false
}

/** Where a string ends that begins there; the end of the text where it does not. Most of a long text is in strings. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === BACKSLASH && before - 1 > begin) before--
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}

export const QUOTE = 0x22
export const BACKSLASH = 0x5c
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACKET = 0x5d

/** Reads JSON, or undefined where the text is none or nests too deeply. */
export function readJson(text: string): unknown {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** A copy of parsed JSON that is safe to hand on: whole characters only, and no field that could change a prototype. */
export function cleanJson(value: unknown): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map(cleanJson)
  if (typeof value !== 'object') return null
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '__proto__')
      .map(([name, field]) => [name.toWellFormed(), cleanJson(field)]),
  )
}

/** A title as the log takes it, or null where nothing of it is left: one line, no control characters, bounded. */
export function cleanTitle(title: string): string | null {
  const oneLine = title
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  const cut = oneLine.slice(0, TITLE_LIMIT_CHARS).replace(/[\ud800-\udbff]$/, '')
  return cut === '' ? null : cut
}
