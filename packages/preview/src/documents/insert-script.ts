import { Transform } from 'node:stream'

/** How far a page may go on with comments before its first element until it goes on without the script, in bytes. */
const FARTHEST_BYTES = 65_536

/**
 * Adds bytes to an HTML document before all that could run: behind `<head>`, or where the parser would open one by
 * itself. Whatever stands before that place goes on at once, so that nothing waits for it. Works on bytes of any
 * encoding that has ASCII in it; what comes behind is not looked at. [PREV3]
 */
export function insertScript(tag: string): Transform {
  const inserted = Buffer.from(tag, 'latin1')
  let held = Buffer.alloc(0)
  let passedBytes = 0
  let isDone = false
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      if (isDone) {
        done(null, piece)
        return
      }
      held = Buffer.concat([held, piece])
      const { at, isFound } = placeIn(held)
      if (isFound) {
        isDone = true
        this.push(Buffer.concat([held.subarray(0, at), inserted, held.subarray(at)]))
        held = Buffer.alloc(0)
      } else {
        if (at > 0) this.push(held.subarray(0, at))
        held = held.subarray(at)
        passedBytes += at
        if (passedBytes + held.byteLength > FARTHEST_BYTES) {
          isDone = true
          this.push(held)
          held = Buffer.alloc(0)
        }
      }
      done()
    },
    flush(done) {
      // A document that has begun no element is one with an empty head.
      if (!isDone) this.push(Buffer.concat([held, passedBytes + held.byteLength > 0 ? inserted : Buffer.alloc(0)]))
      done()
    },
  })
}

/** Where the script goes; while that is not known, how much of the beginning stands before it in any case. */
interface Place {
  readonly at: number
  readonly isFound: boolean
}

/** What may stand before the place. */
const BEGINNINGS = ['<!--', '<!doctype', '<html', '<head', '\u00ef\u00bb\u00bf']
const LONGEST_BEGINNING = 9

function placeIn(bytes: Buffer): Place {
  const text = bytes.toString('latin1')
  let at = text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0
  for (;;) {
    while (at < text.length && ' \t\r\n\f'.includes(text[at] ?? '')) at++
    const rest = text.slice(at, at + LONGEST_BEGINNING).toLowerCase()
    if (BEGINNINGS.some((whole) => rest.length < whole.length && whole.startsWith(rest))) return { at, isFound: false }
    if (rest.startsWith('<!--')) {
      const end = endOfComment(text, at)
      if (end === null) return { at, isFound: false }
      at = end
    } else if (rest.startsWith('<!') || rest.startsWith('<?')) {
      const end = text.indexOf('>', at)
      if (end < 0) return { at, isFound: false }
      at = end + 1
    } else if (isTag(text, at, 'html')) {
      const end = endOfTag(text, at)
      if (end === null) return { at, isFound: false }
      at = end
    } else if (isTag(text, at, 'head')) {
      const end = endOfTag(text, at)
      return end === null ? { at, isFound: false } : { at: end, isFound: true }
    } else return { at, isFound: true }
  }
}

/** `<!-->` and `<!--->` are whole comments (HTML, 13.2.5.43). */
function endOfComment(text: string, at: number): number | null {
  for (const empty of ['<!-->', '<!--->']) if (text.startsWith(empty, at)) return at + empty.length
  const ends = ['-->', '--!>'].flatMap((mark) => {
    const found = text.indexOf(mark, at + 4)
    return found < 0 ? [] : [found + mark.length]
  })
  return ends.length === 0 ? null : Math.min(...ends)
}

function isTag(text: string, at: number, name: string): boolean {
  const begun = text.slice(at, at + name.length + 2).toLowerCase()
  return begun.startsWith(`<${name}`) && /^[\s/>]?$/.test(begun.slice(name.length + 1))
}

/** Behind the `>` of a start tag, which may have `>` in the values of its attributes. */
function endOfTag(text: string, at: number): number | null {
  let quote = ''
  let isValue = false
  for (let index = at; index < text.length; index++) {
    const character = text[index] ?? ''
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '>') return index + 1
    else if ((character === '"' || character === "'") && isValue) quote = character
    if (character === '=') isValue = true
    else if (!/\s/.test(character)) isValue = false
  }
  return null
}
