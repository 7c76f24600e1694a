import { describe, expect, it } from 'vitest'
import { noBlobs } from '../../blob-source.ts'
import { collectParts } from '../collect-parts.ts'
import type { WireBlock } from '../wire-script.ts'
import {
  eventsOf,
  type ModelPortHarness,
  noAbort,
  PLAIN_REQUEST,
  readAll,
  sendEvents,
  USAGE,
  usePort,
} from './port-fixture.ts'

const ANSWER: readonly WireBlock[] = [
  { type: 'thinking', pieces: ['Let me ', 'think. '] },
  { type: 'text', pieces: ['Grüße, ', '世界 ', '👩‍🚀', '!'] },
  {
    type: 'tool-call',
    callId: 'call_1',
    name: 'read_file',
    pieces: ['{"pa', 'th": "a.txt",', ' "n": 1.0, "2": 1, "1": 2}'],
  },
  { type: 'tool-call', callId: 'call_2', name: 'read_file', pieces: ['{}'] },
]

/** What a port does with an answer that comes as it should. */
export function describeAnswers(harness: ModelPortHarness): void {
  const { wire, speaksItself } = harness
  const whole = ANSWER.filter(({ type }) => wire.hasThinking || type !== 'thinking')
  describe('an answer', () => {
    const { server, model } = usePort(harness)

    async function answerTo(events: readonly string[]): Promise<ReturnType<typeof collectParts>> {
      server().answer(async (exchange) => {
        await sendEvents(exchange, events)
        exchange.end()
      })
      const { parts, error } = await readAll((onPart) =>
        model().stream(PLAIN_REQUEST, { signal: noAbort(), blobs: noBlobs, onPart }),
      )
      expect(error).toBeNull()
      return collectParts(parts)
    }

    it('[RUN5] comes in numbered blocks, in order, with the finish last', async () => {
      const { blocks, finish } = await answerTo(eventsOf(wire, whole))
      expect(finish).toBe('tool-calls')
      expect(blocks.map((block) => (block.type === 'tool-call' ? block.inputText : block.text))).toEqual(
        whole.map(({ pieces }) => pieces.join('')),
      )
      expect(blocks.map(({ type }) => type)).toEqual(whole.map(({ type }) => type))
    })

    it('[RUN10] keeps tool input as it came, byte for byte', async () => {
      const { blocks } = await answerTo(eventsOf(wire, whole))
      expect(blocks.at(-2)).toMatchObject({
        callId: 'call_1',
        name: 'read_file',
        complete: true,
        inputText: '{"path": "a.txt", "n": 1.0, "2": 1, "1": 2}',
      })
    })

    it('[COST1] says what was used, without cache reads in the input', async () => {
      const { usage } = await answerTo(eventsOf(wire, whole))
      expect(usage).toMatchObject({
        inputTokens: USAGE.inputTokens,
        cacheReadTokens: USAGE.cacheReadTokens,
        outputTokens: USAGE.outputTokens,
      })
    })

    it('[STOP8] says what is known of its usage before the first content, where the provider does', async () => {
      server().answer((exchange) =>
        sendEvents(exchange, [...wire.start(USAGE), ...wire.block({ type: 'text', pieces: ['a'] }, 0)]),
      )
      const abort = new AbortController()
      const { parts } = await readAll((onPart) =>
        model().stream(PLAIN_REQUEST, {
          signal: abort.signal,
          blobs: noBlobs,
          onPart(part) {
            abort.abort()
            return onPart(part)
          },
        }),
      )
      if (wire.hasEarlyUsage)
        expect(parts).toMatchObject([{ type: 'usage', usage: { inputTokens: USAGE.inputTokens } }])
      else expect(parts).toMatchObject([{ type: 'block-started' }])
    })

    it('[RUN5] is the same when it comes one byte at a time', async () => {
      const atOnce = await answerTo(eventsOf(wire, whole))
      server().answer(async (exchange) => {
        exchange.head(200, { 'content-type': 'text/event-stream' })
        for (const byte of Buffer.from(eventsOf(wire, whole).join(''))) await exchange.write(Uint8Array.of(byte))
        exchange.end()
      })
      const { parts } = await readAll((onPart) =>
        model().stream(PLAIN_REQUEST, { signal: noAbort(), blobs: noBlobs, onPart }),
      )
      expect(collectParts(parts)).toEqual(atOnce)
    })

    it('[RUN3] brings a delta of 5 MB, and 20,000 small ones', async () => {
      const huge = 'ä'.repeat(2_500_000)
      const small = Array.from({ length: 20_000 }, (_, index) => `${index} `)
      const { blocks } = await answerTo(eventsOf(wire, [{ type: 'text', pieces: [huge, ...small] }]))
      expect(blocks).toHaveLength(1)
      expect(blocks[0]?.type === 'text' && blocks[0].text === huge + small.join('')).toBe(true)
    })

    if (speaksItself)
      it('[RUN9] passes over events and blocks of kinds that do not exist yet', async () => {
        const { events, indexes } = wire.unknown
        const { blocks, finish } = await answerTo([
          ...wire.start(USAGE),
          ...events,
          ...wire.block({ type: 'text', pieces: ['still ', 'here'] }, indexes),
          ...wire.end('end', USAGE),
        ])
        expect(finish).toBe('end')
        expect(blocks.at(-1)).toMatchObject({ type: 'text', text: 'still here' })
      })

    if (wire.idsMayRepeat)
      it('[RUN11] gives a call an id of its own when the provider repeats one, or sends none', async () => {
        const call = { type: 'tool-call', callId: 'same', name: 'read_file', pieces: ['{}'] } as const
        const calls: WireBlock[] = wire.idsMayBeMissing ? [call, call, { ...call, callId: '' }] : [call, call]
        const { blocks } = await answerTo(eventsOf(wire, calls))
        const ids = blocks.map((block) => (block.type === 'tool-call' ? block.callId : ''))
        expect(ids[0]).toBe('same')
        expect(new Set(ids).size).toBe(calls.length)
        expect(ids).not.toContain('')
      })

    it('[RUN11] gives a call an id of its own when an earlier turn used it', async () => {
      server().answer(async (exchange) => {
        await sendEvents(
          exchange,
          eventsOf(wire, [{ type: 'tool-call', callId: 'old', name: 'read_file', pieces: ['{}'] }]),
        )
        exchange.end()
      })
      const request = {
        ...PLAIN_REQUEST,
        messages: [
          ...PLAIN_REQUEST.messages,
          {
            role: 'assistant',
            blocks: [{ type: 'tool-call', callId: 'old', name: 'read_file', inputText: '{}', complete: true }],
          },
          { role: 'tool', callId: 'old', isError: false, content: [{ type: 'text', text: 'x' }] },
        ],
      } as const
      const { parts } = await readAll((onPart) =>
        model().stream(request, { signal: noAbort(), blobs: noBlobs, onPart }),
      )
      expect(collectParts(parts).blocks[0]).not.toMatchObject({ callId: 'old' })
    })

    it('[LOG11] answers a request with a picture, whose body comes from the source of that request alone', async () => {
      const bodies: string[] = []
      server().answer(async (exchange) => {
        bodies.push(exchange.bodyText)
        await sendEvents(exchange, eventsOf(wire, [{ type: 'text', pieces: ['seen'] }]))
        exchange.end()
      })
      const blob = { hash: 'a'.repeat(64), sizeBytes: 6, mediaType: 'image/png' }
      const picture = { type: 'image', attachmentId: 'picture_1', blob } as const
      const request = { ...PLAIN_REQUEST, messages: [{ role: 'user', parts: [picture] }] } as const
      const asked: string[] = []
      const sourceOf = (content: string) => ({
        async read(hash: string) {
          asked.push(hash)
          return new TextEncoder().encode(content)
        },
      })
      for (const content of ['first!', 'second'])
        await readAll((onPart) => model().stream(request, { signal: noAbort(), blobs: sourceOf(content), onPart }))
      expect(asked).toEqual([blob.hash, blob.hash])
      expect(bodies[0]).toContain(Buffer.from('first!').toString('base64'))
      expect(bodies[1]).toContain(Buffer.from('second').toString('base64'))
    })

    it('[RUN12] may hold nothing at all, and ends', async () => {
      const { blocks, finish } = await answerTo(eventsOf(wire, []))
      expect([blocks, finish]).toEqual([[], 'end'])
    })

    it('[STOP4] leaves a call open that the limit of output cut', async () => {
      const { blocks, finish } = await answerTo([
        ...wire.start(USAGE),
        ...wire.block({ type: 'tool-call', callId: 'whole', name: 'read_file', pieces: ['{"a":1}'] }, 0),
        ...wire.block({ type: 'tool-call', callId: 'half', name: 'read_file', pieces: ['{"path": "a'] }, 1),
        ...wire.end('length', USAGE),
      ])
      expect(finish).toBe('length')
      expect(blocks).toMatchObject([{ complete: true }, { complete: false, inputText: '{"path": "a' }])
    })

    it('[RUN10] closes a call whose input the model itself ended wrongly', async () => {
      const { blocks } = await answerTo(
        eventsOf(wire, [{ type: 'tool-call', callId: 'c', name: 'read_file', pieces: ['{"path": '] }]),
      )
      expect(blocks).toMatchObject([{ complete: true, inputText: '{"path": ' }])
    })
  })
}
