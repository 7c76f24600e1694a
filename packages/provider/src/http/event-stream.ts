/** One server-sent event. */
export interface ServerSentEvent {
  /** Its name; empty when it has none. */
  readonly name: string
  readonly data: string
}

/** Takes a stream of server-sent events apart as its bytes come. How they are cut changes nothing. [R10] */
export interface EventStreamParser {
  /**
   * The events that these bytes complete.
   *
   * @throws {EventTooLargeError} when an event passes the limit; the stream is then of no more use.
   */
  push(bytes: Uint8Array): readonly ServerSentEvent[]
  /** What is left at the end of the stream without the empty line that closes an event; it may be half of one. */
  end(): ServerSentEvent | null
}

/** An event is larger than any that a provider would send. */
export class EventTooLargeError extends Error {
  override readonly name = 'EventTooLargeError'
}

/** Makes a parser that holds at most `limit` characters of one event. */
export function createEventStreamParser({ limit }: { readonly limit: number }): EventStreamParser {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  /** False while the decoder holds the beginning of a character. */
  let atBoundary = true
  let atStart = true
  /** The last line ended with CR: an LF that follows belongs to it. */
  let afterReturn = false
  /** The line so far. Appending is cheap: the engine joins the pieces when they are read. */
  let line = ''
  let name = ''
  let data: string[] = []
  let size = 0

  /** An ASCII byte ends every character, so text up to one needs no memory of what came before: the quick way. */
  function decode(bytes: Uint8Array): string {
    const endsInAscii = (bytes.at(-1) ?? 0) < 0x80
    const whole = atBoundary && endsInAscii
    atBoundary = endsInAscii
    const text = whole
      ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
      : decoder.decode(bytes, { stream: true })
    if (!atStart || text === '') return text
    atStart = false
    return text.startsWith('\uFEFF') ? text.slice(1) : text
  }

  function endLine(): ServerSentEvent | null {
    if (line === '') return closeEvent()
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') data.push(value)
    else if (field === 'event') name = value
    line = ''
    return null
  }

  function closeEvent(): ServerSentEvent | null {
    const event = data.length === 0 ? null : { name, data: data.length === 1 ? (data[0] ?? '') : data.join('\n') }
    name = ''
    data = []
    size = 0
    return event
  }

  function grow(piece: string): void {
    size += piece.length
    if (size > limit) throw new EventTooLargeError(`An event of the stream is larger than ${limit} characters`)
    line += piece
  }

  return {
    push(bytes) {
      if (bytes.length === 0) return []
      const text = decode(bytes)
      const events: ServerSentEvent[] = []
      let start = 0
      let feed = text.indexOf('\n')
      let back = text.indexOf('\r')
      while (feed >= 0 || back >= 0) {
        const isFeed = back < 0 || (feed >= 0 && feed < back)
        const index = isFeed ? feed : back
        if (isFeed) feed = text.indexOf('\n', index + 1)
        else back = text.indexOf('\r', index + 1)
        const closesReturn = isFeed && afterReturn && index === start
        if (!closesReturn) {
          grow(text.slice(start, index))
          const event = endLine()
          if (event) events.push(event)
        }
        afterReturn = !isFeed
        start = index + 1
      }
      if (start < text.length) {
        afterReturn = false
        grow(text.slice(start))
      }
      return events
    },
    end() {
      line += decoder.decode()
      if (line !== '') endLine()
      return closeEvent()
    },
  }
}
