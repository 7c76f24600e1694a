/** The text of a file, with what is needed to write it back as it was. */
export interface TextFile {
  /** Without the byte order mark; line ends as they are. */
  readonly text: string
  readonly hasMark: boolean
  /** How its lines end; `mixed` when they end in more than one way. */
  readonly lineEnd: 'lf' | 'crlf' | 'mixed'
}

const MARK = '\ufeff'

/** Reads bytes as UTF-8 text; null when they are none. */
export function readText(bytes: Uint8Array): TextFile | null {
  if (bytes.includes(0)) return null
  let decoded: string
  try {
    decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
  const hasMark = decoded.startsWith(MARK)
  const text = hasMark ? decoded.slice(1) : decoded
  const pairs = text.split('\r\n').length - 1
  const feeds = text.split('\n').length - 1
  return { text, hasMark, lineEnd: pairs === 0 ? 'lf' : pairs === feeds ? 'crlf' : 'mixed' }
}

/** The bytes of a text. */
export function bytesOfText({ text, hasMark }: Pick<TextFile, 'text' | 'hasMark'>): Uint8Array {
  return new TextEncoder().encode(hasMark ? MARK + text : text)
}

/** A text from the model, with the line ends of a file. Where the file has several, the text stays as it is. */
export function withLineEnds(text: string, lineEnd: TextFile['lineEnd']): string {
  return lineEnd === 'crlf' ? text.replace(/\r?\n/g, '\r\n') : text
}

/** Lines without their ends. A text that ends in a line end has no empty last line. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
