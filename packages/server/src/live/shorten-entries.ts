import type { ServerFrameOf } from '@holdfast/protocol'

/** The longest text of an entry that is shortened, in UTF-16 code units; less where that is not enough. */
const LONGEST_TEXT = 100_000

/** Below this a text says nothing any more. */
const SHORTEST_TEXT = 100

/**
 * The text of a frame with entries that is longer than a frame may be: their longest texts are cut, and say so. The whole of
 * them stays in the log, in the transcript and in exports. Such an entry ended the line of whoever followed it. [LOG28]
 *
 * @throws {RangeError} where it is made of too many short texts.
 */
export function shortenEntries(frame: ServerFrameOf<'entries'>, mostChars: number): string {
  for (let limit = LONGEST_TEXT; limit >= SHORTEST_TEXT; limit /= 10) {
    const text = JSON.stringify(frame, (_, value: unknown) => (typeof value === 'string' ? cut(value, limit) : value))
    if (text.length <= mostChars) return text
  }
  const [first] = frame.entries
  throw new RangeError(`Entry ${first?.seq ?? 0} of conversation ${frame.conversationId} fits into no frame`)
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const beginning = text.slice(0, limit).toWellFormed()
  return `${beginning}\n[… ${text.length - limit} characters left out here; all of it is in the export …]`
}
