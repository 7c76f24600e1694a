import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../log/bounded.ts'

/** Cuts text that holds several JSON values without anything between them, as two writers leave it. What is no whole value is the last piece. */
export function splitValues(text: string): string[] {
  const values: string[] = []
  let depth = 0
  let start = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === BACKSLASH) index++
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth === 0) {
      values.push(text.slice(start, index + 1))
      start = index + 1
    }
  }
  const rest = text.slice(start)
  return rest.trim() === '' ? values : [...values, rest]
}
