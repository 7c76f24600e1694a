import { createParser } from 'eventsource-parser'

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

/** Ends a line and then an event, whatever stands open. */
const END = '\n\n'

/** Makes a parser that holds at most `limit` characters of one event between two pieces. */
export function createEventStreamParser({ limit }: { readonly limit: number }): EventStreamParser {
  const decoder = new TextDecoder()
  let events: ServerSentEvent[] = []
  const parser = createParser({
    maxBufferSize: limit,
    onEvent({ event, data }) {
      events.push({ name: event ?? '', data })
    },
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded')
        throw new EventTooLargeError(`An event of the stream is larger than ${limit} characters`)
    },
  })

  function read(text: string): readonly ServerSentEvent[] {
    events = []
    parser.feed(text)
    return events
  }

  return {
    push: (bytes) => read(decoder.decode(bytes, { stream: true })),
    end: () => read(decoder.decode() + END)[0] ?? null,
  }
}
