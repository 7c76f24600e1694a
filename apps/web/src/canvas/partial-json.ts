import { Json } from '@holdfast/conversation'

/**
 * The value of a JSON text that is still being written: what is whole of it, and the text that it ends in. Null while
 * nothing can be read. Read anew for every delta: `partial-json` takes five times as long for many small values, and
 * guesses words that are half there.
 */
export function readPartialJson(text: string): Json {
  const { ends, wholeLength, isInString, escapeAt } = scan(text)
  const begun = HALF_ESCAPE.test(text.slice(escapeAt)) ? text.slice(0, escapeAt) : text
  const closed = isInString ? `${begun}"` : text
  return parsed(closed + ends) ?? parsed(text.slice(0, wholeLength) + ends)
}

/** A character that is written with a backslash, and not whole. */
const HALF_ESCAPE = /^\\(?:u[0-9a-fA-F]{0,3})?$/

interface Scan {
  /** What closes the lists and objects that are open. */
  readonly ends: string
  /** As much of the text is whole: up to the last comma or bracket. */
  readonly wholeLength: number
  readonly isInString: boolean
  /** Where the last character begins that is written with a backslash. */
  readonly escapeAt: number
}

function scan(text: string): Scan {
  const open: string[] = []
  let wholeLength = 0
  let isInString = false
  let escapeAt = text.length
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (isInString) {
      if (character === '\\') {
        escapeAt = index
        index += 1
      } else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === ',') wholeLength = index
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']')
      wholeLength = index + 1
    } else if (character === '}' || character === ']') {
      open.pop()
      wholeLength = index + 1
    }
  }
  return { ends: open.toReversed().join(''), wholeLength, isInString, escapeAt }
}

function parsed(text: string): Json {
  try {
    return Json.parse(JSON.parse(text))
  } catch {
    // Half a number or name cannot be read; the next piece of the stream may complete it.
    return null
  }
}
