/**
 * The text with comments and the insides of strings, templates and regular expressions blanked out.
 * Every character keeps its offset, quotes and line ends stay, so that a match in the mask can be looked up in the text.
 */
export function maskCode(text: string): string {
  const out = text.split('')
  let at = 0
  const blank = (from: number, to: number) => {
    for (let index = from; index < to; index++) if (out[index] !== '\n') out[index] = ' '
  }

  /** Reads code until the brace that closes a template's expression, or to the end of the text. */
  const readCode = (inTemplate: boolean) => {
    let depth = 0
    let before = ''
    while (at < text.length) {
      const rest = text.slice(at, at + 2)
      const character = text.charAt(at)
      if (rest === '//') blankTo(endOfLine(text, at))
      else if (rest === '/*') blankTo(endOfBlock(text, at))
      else if (character === "'" || character === '"') readString(character)
      else if (character === '`') readTemplate()
      else if (character === '/' && startsRegExp(before)) blankTo(endOfRegExp(text, at))
      else if (inTemplate && character === '}' && depth === 0) return
      else {
        if (character === '{') depth++
        if (character === '}') depth--
        at++
      }
      if (character.trim() !== '' && rest !== '//' && rest !== '/*') before = (before + character).slice(-10)
      else if (/\w$/.test(before)) before = `${before} `
    }
  }

  const blankTo = (end: number) => {
    blank(at, end)
    at = end
  }

  const readString = (quote: string) => {
    const start = at
    at++
    while (at < text.length && text.charAt(at) !== quote && text.charAt(at) !== '\n')
      at += text.charAt(at) === '\\' ? 2 : 1
    blank(start + 1, at)
    at++
  }

  const readTemplate = () => {
    at++
    let start = at
    while (at < text.length && text.charAt(at) !== '`') {
      if (text.slice(at, at + 2) === '${') {
        blank(start, at)
        at += 2
        readCode(true)
        at++
        start = at
      } else at += text.charAt(at) === '\\' ? 2 : 1
    }
    blank(start, Math.min(at, text.length))
    at++
  }

  readCode(false)
  return out.join('')
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

function endOfBlock(text: string, at: number): number {
  const end = text.indexOf('*/', at + 2)
  return end === -1 ? text.length : end + 2
}

/** A slash begins a regular expression where a value may begin; after a name, a number or a closing bracket it divides. */
function startsRegExp(before: string): boolean {
  return before === '' || /(?:[(,=:[!&|?{;+\-*%~^]|=>|\b(?:return|typeof|case|of|in|await) ?)$/.test(before.trimEnd())
}

function endOfRegExp(text: string, start: number): number {
  let inClass = false
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\') at++
    else if (character === '[') inClass = true
    else if (character === ']') inClass = false
    else if (character === '\n') return start + 1
    else if (character === '/' && !inClass) return at + 1
  }
  return start + 1
}
