/** A line of a source. A line that is longer than allowed comes without its text. */
export interface SourceLine {
  /** From 1. */
  readonly number: number
  readonly text: string | null
  /** How many characters it has. */
  readonly length: number
}

/**
 * Cuts text into lines, in memory that a single line bounds. A line of more than `limitChars` is passed over, not kept.
 * Lines end with LF; a CR before it is dropped.
 */
export async function* textLines(chunks: AsyncIterable<string>, limitChars: number): AsyncGenerator<SourceLine> {
  let number = 1
  let pieces: string[] = []
  let length = 0
  const take = (): SourceLine => {
    const text = length > limitChars ? null : pieces.join('')
    const line = { number: number++, text: text?.endsWith('\r') ? text.slice(0, -1) : text, length }
    pieces = []
    length = 0
    return line
  }
  const grow = (piece: string): void => {
    length += piece.length
    if (length > limitChars) pieces = []
    else pieces.push(piece)
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      grow(chunk.slice(start, end))
      yield take()
      start = end + 1
    }
    if (start < chunk.length) grow(chunk.slice(start))
  }
  if (length > 0) yield take()
}

/** Text of chunks that are bytes or text, without a byte-order mark. Bytes that are not UTF-8 become U+FFFD. */
export async function* asText(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let isFirst = true
  for await (const chunk of chunks) {
    let text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    if (isFirst && text !== '') {
      isFirst = false
      if (text.startsWith('\ufeff')) text = text.slice(1)
    }
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}
