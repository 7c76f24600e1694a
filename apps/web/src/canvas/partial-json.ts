import { Json } from '@holdfast/conversation'

/**
 * The value of a JSON text that is still being written: what is whole of it, and the text that it ends in. Null while
 * nothing can be read.
 */
export function readPartialJson(text: string): Json {
  for (const cut of [text, text.replace(/,?\s*"(?:[^"\\]|\\.)*"?\s*:?\s*$/, ''), text.replace(/,?[^,[{]*$/, '')]) {
    const value = parsed(closed(cut))
    if (value !== null) return value
  }
  return null
}

/** The text with every string, list and object closed that it leaves open. */
function closed(text: string): string {
  const open: string[] = []
  let isString = false
  let isEscaped = false
  for (const character of text) {
    if (isEscaped) isEscaped = false
    else if (isString) {
      if (character === '\\') isEscaped = true
      else if (character === '"') isString = false
    } else if (character === '"') isString = true
    else if (character === '{') open.push('}')
    else if (character === '[') open.push(']')
    else if (character === '}' || character === ']') open.pop()
  }
  const body = isString
    ? `${isEscaped ? text.slice(0, -1) : text.replace(/\\u[0-9a-fA-F]{0,3}$/, '')}"`
    : text.replace(/[,\s]+$/, '')
  return body + open.reverse().join('')
}

function parsed(text: string): Json {
  try {
    return Json.parse(JSON.parse(text))
  } catch {
    // Half a number or name cannot be read; the next piece of the stream may complete it.
    return null
  }
}
