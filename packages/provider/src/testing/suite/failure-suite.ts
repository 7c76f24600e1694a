import type { ProviderErrorCode } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'
import { noBlobs } from '../../blob-source.ts'
import { collectParts } from '../collect-parts.ts'
import { startLoopbackServer } from '../loopback-server.ts'
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

/** Refusals that every provider has. */
const CODES: readonly ProviderErrorCode[] = [
  'auth',
  'rate-limit',
  'quota',
  'too-long',
  'overloaded',
  'model-missing',
  'bad-request',
  'internal',
]

/** What a port does with refusals and with servers that break. */
export function describeFailures(harness: ModelPortHarness): void {
  const { wire, speaksItself } = harness
  describe('a failure', () => {
    const { server, model } = usePort(harness)
    const read = () => readAll((onPart) => model().stream(PLAIN_REQUEST, { signal: noAbort(), blobs: noBlobs, onPart }))
    const before = [...wire.start(USAGE), ...wire.block({ type: 'text', pieces: ['kept'] }, 0).slice(0, 2)]

    it.each(CODES)('[RUN9] is %s when the provider says so, and is not tried twice', async (code) => {
      const { status, bodyText } = wire.refusal(code)
      server().answer(async (exchange) => {
        exchange.head(status, { 'content-type': 'application/json', 'retry-after': '3' })
        await exchange.write(bodyText)
        exchange.end()
      })
      const { parts, error } = await read()
      expect(parts).toEqual([])
      expect(error).toMatchObject({ code, status, retryAfterMs: 3_000 })
      expect(server().exchanges).toHaveLength(1)
    })

    it('[RUN9] is the class of an error inside the stream, and what came stays', async () => {
      server().answer(async (exchange) => {
        await sendEvents(exchange, [...before, wire.overloaded])
        exchange.end()
      })
      const { parts, error } = await read()
      expect(error?.code).toBe('overloaded')
      expect(collectParts(parts)).toMatchObject({ finish: null, blocks: [{ text: 'kept' }] })
    })

    it('[RUN9] is internal when an event is not JSON, and what came stays', async () => {
      server().answer(async (exchange) => {
        await sendEvents(exchange, [...before, 'data: {"type": nonsense\n\n', ...wire.end('end', USAGE)])
        exchange.end()
      })
      const { parts, error } = await read()
      expect(error?.code).toBe('internal')
      expect(collectParts(parts)).toMatchObject({ finish: null, blocks: [{ text: 'kept' }] })
    })

    it.each([
      'null',
      '[]',
      '3',
      '"x"',
      '{}',
      '{"type":3}',
      '{"type":"content_block_delta"}',
      '{"choices":[null]}',
      '{"choices":{"a":1},"usage":{"input_tokens":-4}}',
      '{"choices":[{"delta":{"tool_calls":[null,{},{"index":7}]}}]}',
      '{"type":"content_block_start","content_block":null}',
      '{"type":"message_delta","delta":null,"usage":[]}',
    ])('[RUN9] is a class, and never a crash, when an event is %s', async (data) => {
      server().answer(async (exchange) => {
        await sendEvents(exchange, [...before, `data: ${data}\n\n`, ...wire.end('end', USAGE)])
        exchange.end()
      })
      const { parts, error } = await read()
      expect(error === null || error.code === 'internal').toBe(true)
      expect(collectParts(parts).blocks[0]).toMatchObject({ text: 'kept' })
    })

    it.each([
      ['bad-request', 'text/html', '<html><title>Welcome</title></html>'],
      ['internal', 'application/json', '{"hello":1}'],
    ])('[RUN9] is %s when a success is %s', async (code, type, bodyText) => {
      server().answer(async (exchange) => {
        exchange.head(200, { 'content-type': type })
        await exchange.write(bodyText)
        exchange.end()
      })
      const { parts, error } = await read()
      if (speaksItself) expect(error).toMatchObject({ code, status: 200 })
      else expect([collectParts(parts).blocks, collectParts(parts).finish]).toEqual([[], null])
    })

    if (speaksItself)
      it('[RUN9] is internal when the answer is compressed, which nobody asked for', async () => {
        server().answer(async (exchange) => {
          expect(exchange.headers['accept-encoding']).toBe('identity')
          exchange.head(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
          await exchange.write('x')
          exchange.end()
        })
        expect((await read()).error?.code).toBe('internal')
      })

    it('[RUN9] is network when the connection breaks before the answer', async () => {
      server().answer((exchange) => exchange.reset())
      expect((await read()).error).toMatchObject({ code: 'network', isUnsent: false })
      expect(server().exchanges).toHaveLength(1)
    })

    it('[RUN9, COST14] is network when nothing listens, and unsent', async () => {
      const gone = await startLoopbackServer()
      await gone.close()
      const { error } = await readAll((onPart) =>
        harness.open(gone.baseUrl).stream(PLAIN_REQUEST, { signal: noAbort(), blobs: noBlobs, onPart }),
      )
      expect(error).toMatchObject({ code: 'network', isUnsent: true })
    })

    it('[RUN9] leaves the next request as it is', async () => {
      server().answer((exchange) => exchange.reset())
      await read()
      server().answer(async (exchange) => {
        await sendEvents(exchange, eventsOf(wire, [{ type: 'text', pieces: ['fine'] }]))
        exchange.end()
      })
      const { parts } = await read()
      expect(collectParts(parts)).toMatchObject({ finish: 'end', blocks: [{ text: 'fine' }] })
    })
  })
}
