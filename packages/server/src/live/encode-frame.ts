import { MAX_SERVER_FRAME_LENGTH, type ServerFrame } from '@holdfast/protocol'
import { shortenEntries } from './shorten-entries.ts'

/**
 * Encodes a frame once where it goes to many readers: what the bus brings goes to one after the other.
 *
 * Of what was encoded the last is kept and nothing else.
 */
export function encodeOnce<Encoded>(encode: (frame: ServerFrame) => Encoded): (frame: ServerFrame) => Encoded {
  let last: { readonly frame: ServerFrame; readonly encoded: Encoded } | null = null
  return (frame) => {
    if (last?.frame === frame) return last.encoded
    const encoded = encode(frame)
    last = { frame, encoded }
    return encoded
  }
}

/** The frame as the bytes of a WebSocket message. */
export const encodeFrame = encodeOnce((frame) => toTextMessage(textOf(frame)))

/** What streams is bounded by what an answer may hold; an entry may be older than that bound. [LOG28, RUN26] */
function textOf(frame: ServerFrame): string {
  const text = JSON.stringify(frame)
  const isTooLong = frame.type === 'entries' && text.length > MAX_SERVER_FRAME_LENGTH
  return isTooLong ? shortenEntries(frame, MAX_SERVER_FRAME_LENGTH) : text
}

/** A whole text message; what a server sends is not masked. https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
const WHOLE_TEXT = 0x81
/** A length of this value stands in the two bytes behind it. */
const IN_TWO_BYTES = 126
/** A length of this value stands in the eight bytes behind it. */
const IN_EIGHT_BYTES = 127

/** The bytes of a WebSocket message that holds this text. */
function toTextMessage(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const headLength = length < IN_TWO_BYTES ? 2 : length < 2 ** 16 ? 4 : 10
  const message = Buffer.allocUnsafe(headLength + length)
  message[0] = WHOLE_TEXT
  if (headLength === 2) message[1] = length
  else if (headLength === 4) {
    message[1] = IN_TWO_BYTES
    message.writeUInt16BE(length, 2)
  } else {
    message[1] = IN_EIGHT_BYTES
    message.writeBigUInt64BE(BigInt(length), 2)
  }
  message.write(text, headLength)
  return message
}
