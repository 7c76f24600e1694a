import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, DEPTH_LIMIT, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../log/bounded.ts'

/** A piece of a JSON document: an element of its list, or of a list that is a field of its object, or another field's value. */
export interface JsonMember {
  /** The field of the document's object; null where the document is a list. */
  readonly key: string | null
  /** Whether it is an element of a list, not the value of a field. */
  readonly isElement: boolean
  /** The text of the value; null where it is longer or deeper than allowed. */
  readonly text: string | null
  /** Line on which it begins, from 1. */
  readonly line: number
  /** Why there is no text. */
  readonly fault: 'too-long' | 'too-deep' | null
}

/** The document ended before its end, or is none. What came before was good. */
export class DamagedDocumentError extends Error {
  override readonly name = 'DamagedDocumentError'
  readonly code = 'damaged-document'
  readonly line: number

  constructor(line: number, what: string) {
    super(`The JSON document is damaged at line ${line}: ${what}`)
    this.line = line
  }
}

const COMMA = 0x2c
const COLON = 0x3a
const LINE_FEED = 0x0a

/**
 * Cuts a JSON document of any size into the values that it lists, in memory that the largest of them bounds.
 *
 * @throws {DamagedDocumentError} when brackets do not match or the text ends too early.
 */
export async function* jsonMembers(chunks: AsyncIterable<string>, limitChars: number): AsyncGenerator<JsonMember> {
  let line = 1
  let depth = 0
  /** Depth of the values that are cut out: 1 for fields and elements, 2 for elements of a field's list. */
  let valueDepth = 1
  let rootIsList = false
  let key: string | null = null
  let inString = false
  let escaped = false
  let pieces: string[] = []
  let length = 0
  let fault: JsonMember['fault'] = null
  let startLine = 0
  let began = false
  let ended = false

  const grow = (piece: string): void => {
    if (piece === '') return
    length += piece.length
    if (length > limitChars) {
      fault ??= 'too-long'
      pieces = []
    } else if (fault === null) pieces.push(piece)
  }
  const take = (): string | null => {
    const text = fault === null ? pieces.join('').trim() : null
    pieces = []
    length = 0
    return text
  }
  const member = (): JsonMember | null => {
    const why = fault
    const text = take()
    fault = null
    const line = startLine
    startLine = 0
    return text === '' ? null : { key, isElement: rootIsList || valueDepth === 2, text, line, fault: why }
  }

  for await (const chunk of chunks) {
    let start = 0
    for (let index = 0; index < chunk.length; index++) {
      const code = chunk.charCodeAt(index)
      if (code === LINE_FEED) line++
      if (escaped) {
        escaped = false
        continue
      }
      if (inString) {
        if (code === BACKSLASH) escaped = true
        else if (code === QUOTE) inString = false
        continue
      }
      if (code > 0x20 && began && startLine === 0 && code !== COMMA) startLine = line
      switch (code) {
        case QUOTE:
          if (!began) throw new DamagedDocumentError(line, 'it is neither a list nor an object')
          inString = true
          break
        case OPEN_BRACE:
        case OPEN_BRACKET: {
          if (ended) throw new DamagedDocumentError(line, 'something follows its end')
          if (!began) {
            began = true
            rootIsList = code === OPEN_BRACKET
            start = index + 1
          } else if (
            !rootIsList &&
            depth === 1 &&
            code === OPEN_BRACKET &&
            key !== null &&
            isBlank(pieces, chunk, start, index)
          ) {
            valueDepth = 2
            take()
            startLine = 0
            start = index + 1
          }
          depth++
          if (depth > DEPTH_LIMIT) fault ??= 'too-deep'
          break
        }
        case CLOSE_BRACE:
        case CLOSE_BRACKET: {
          if (depth === 0) throw new DamagedDocumentError(line, 'a bracket is closed that was not opened')
          depth--
          if (depth === valueDepth - 1) {
            grow(chunk.slice(start, index))
            start = index + 1
            const last = member()
            if (last) yield last
            if (depth === 0) ended = true
            else valueDepth = 1
            if (depth === 1) key = null
          }
          break
        }
        case COMMA:
          if (depth === valueDepth) {
            grow(chunk.slice(start, index))
            start = index + 1
            const found = member()
            if (found) yield found
            if (valueDepth === 1) key = null
          }
          break
        case COLON:
          if (depth === 1 && !rootIsList && key === null) {
            grow(chunk.slice(start, index))
            start = index + 1
            key = keyOf(take(), line)
            startLine = 0
          }
          break
        default:
          if (!began && code > 0x20) throw new DamagedDocumentError(line, 'it is neither a list nor an object')
      }
    }
    if (began && !ended) grow(chunk.slice(start))
  }
  if (!began) return
  if (!ended) throw new DamagedDocumentError(line, 'it ends in the middle')
}

function isBlank(pieces: readonly string[], chunk: string, start: number, index: number): boolean {
  return chunk.slice(start, index).trim() === '' && pieces.every((piece) => piece.trim() === '')
}

function keyOf(text: string | null, line: number): string {
  try {
    const key: unknown = JSON.parse(text ?? '')
    if (typeof key === 'string') return key
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new DamagedDocumentError(line, 'a field has no name')
}
