import { crc32 } from 'node:zlib'
import type { Wire } from '../wire.ts'

const PRELUDE_BYTES = 12
const CRC_BYTES = 4
const STRING_HEADER = 7

/** A frame whose event begins so is an exception of that name. */
export const EXCEPTION = 'exception:'

/** An event or exception with a JSON payload: lengths, their checksum, headers, payload, checksum of all. */
function encodeNamed(event: string, payload: Uint8Array): Uint8Array {
  const head = headOf(event)
  const total = PRELUDE_BYTES + head.length + payload.length + CRC_BYTES
  const message = Buffer.allocUnsafe(total)
  message.writeUInt32BE(total, 0)
  message.writeUInt32BE(head.length, 4)
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8)
  message.set(head, PRELUDE_BYTES)
  message.set(payload, PRELUDE_BYTES + head.length)
  message.writeUInt32BE(crc32(message.subarray(0, total - CRC_BYTES)), total - CRC_BYTES)
  return message
}

/** The same few headers stand in front of every event. */
const heads = new Map<string, Uint8Array>()

function headOf(event: string): Uint8Array {
  const known = heads.get(event)
  if (known !== undefined) return known
  const isException = event.startsWith(EXCEPTION)
  const name = isException ? event.slice(EXCEPTION.length) : event
  const head = Buffer.concat([
    header(isException ? ':exception-type' : ':event-type', name),
    header(':content-type', 'application/json'),
    header(':message-type', isException ? 'exception' : 'event'),
  ])
  heads.set(event, head)
  return head
}

function header(name: string, value: string): Uint8Array {
  const nameBytes = Buffer.from(name)
  const valueBytes = Buffer.from(value)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(valueBytes.length)
  return Buffer.concat([Uint8Array.of(nameBytes.length), nameBytes, Uint8Array.of(STRING_HEADER), length, valueBytes])
}

const HEADERS = { 'x-amzn-requestid': '00000000-0000-4000-8000-000000000000' }
const CONTENT_TYPE = 'application/vnd.amazon.eventstream'

/** ConverseStream: each event has its own name; nothing keeps it awake. */
export const converseWire: Wire = { contentType: CONTENT_TYPE, headers: HEADERS, encode: encodeNamed, ping: undefined }

function encodeChunk(event: string, data: Uint8Array): Uint8Array {
  if (event.startsWith(EXCEPTION)) return encodeNamed(event, data)
  return encodeNamed('chunk', Buffer.from(JSON.stringify({ bytes: Buffer.from(data).toString('base64') })))
}

/** InvokeModelWithResponseStream: the model's own events, each wrapped in a chunk. */
export const invokeWire: Wire = {
  contentType: CONTENT_TYPE,
  headers: { ...HEADERS, 'x-amzn-bedrock-content-type': 'application/json' },
  encode: encodeChunk,
  ping: encodeChunk('ping', Buffer.from('{"type":"ping"}')),
}
