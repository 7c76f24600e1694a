import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventStreamParser, EventTooLargeError, type ServerSentEvent } from '../src/http/event-stream.ts'

/** The events of a body that comes in these pieces. */
function parse(pieces: readonly Uint8Array[], limit = 1_000_000): ServerSentEvent[] {
  const parser = createEventStreamParser({ limit })
  const events = pieces.flatMap((piece) => [...parser.push(piece)])
  const rest = parser.end()
  return rest ? [...events, rest] : events
}

function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts)]
    .filter((place) => place > 0 && place < bytes.length)
    .sort((one, other) => one - other)
  return [0, ...places].map((place, index) => bytes.subarray(place, places[index] ?? bytes.length))
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const lineEnd = fc.constantFrom('\n', '\r', '\r\n')
const word = fc.string({
  unit: fc.constantFrom('a', ':', ' ', '{', '"', 'é', '世', '👩‍🚀', '\uFEFF', '\t', 'data', '0'),
  maxLength: 12,
})
const field = fc
  .tuple(fc.constantFrom('data: ', 'data:', 'data', 'event: ', 'id: 1', ': comment ', 'retry: 3', 'other: '), word)
  .map((parts) => parts.join(''))
const body = fc
  .array(fc.tuple(fc.oneof(field, fc.constant('')), lineEnd), { maxLength: 30 })
  .map((lines) => lines.flat().join(''))

describe('the event stream', () => {
  it('[RUN5] is the same however its bytes are cut', () => {
    fc.assert(
      fc.property(body, fc.array(fc.nat(400), { maxLength: 40 }), (text, cuts) => {
        const bytes = utf8(text)
        const whole = parse([bytes])
        expect(parse(cutAt(bytes, cuts))).toEqual(whole)
        expect(parse([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
      }),
      { numRuns: 500 },
    )
  })

  it('[RUN5] is the same in two pieces, at every place, with bytes that are no text', () => {
    const bytes = Uint8Array.from([
      ...utf8('\uFEFFdata: é世👩‍🚀\r\ndata: two\r\r'),
      0x64,
      0x61,
      0x74,
      0x61,
      0x3a,
      0xff,
      0xe4,
      0xb8,
      10,
      10,
      ...utf8('data: z\n\n'),
    ])
    const whole = parse([bytes])
    expect(whole.map(({ data }) => data)).toEqual(['é世👩‍🚀\ntwo', '\uFFFD\uFFFD', 'z'])
    for (let place = 0; place <= bytes.length; place++)
      expect(parse([bytes.subarray(0, place), bytes.subarray(place)])).toEqual(whole)
  })

  it('[RUN5] reads the three line ends alike', () => {
    const text = 'event: a\ndata: 1\ndata: 2\n\n: note\n\ndata\n\ndata:3\n\n'
    const expected = [
      { name: 'a', data: '1\n2' },
      { name: '', data: '' },
      { name: '', data: '3' },
    ]
    for (const end of ['\n', '\r', '\r\n']) expect(parse([utf8(text.replaceAll('\n', end))])).toEqual(expected)
  })

  it('[RUN5] keeps what is left at the end apart: it may be half of an event', () => {
    const parser = createEventStreamParser({ limit: 100 })
    expect(parser.push(utf8('data: whole\n\ndata: ha'))).toEqual([{ name: '', data: 'whole' }])
    expect(parser.end()).toEqual({ name: '', data: 'ha' })
  })

  it('[TOOL5] refuses an event over its limit, and not many small ones', () => {
    expect(() => parse([utf8(`data: ${'x'.repeat(200)}`)], 100)).toThrow(EventTooLargeError)
    expect(() =>
      parse(
        Array.from({ length: 50 }, () => utf8('data: xxxxxxx\n')),
        100,
      ),
    ).toThrow(EventTooLargeError)
    expect(
      parse(
        Array.from({ length: 50 }, () => utf8('data: xxxxxxx\n\n')),
        100,
      ),
    ).toHaveLength(50)
  })

  it('[RUN3] takes one event of 20 MB in small pieces', () => {
    const bytes = utf8(`data: ${'ab'.repeat(10_000_000)}\n\n`)
    const parser = createEventStreamParser({ limit: 64_000_000 })
    const events: ServerSentEvent[] = []
    for (let start = 0; start < bytes.length; start += 1_400)
      events.push(...parser.push(bytes.subarray(start, start + 1_400)))
    expect(events[0]?.data.length).toBe(20_000_000)
  })
})
