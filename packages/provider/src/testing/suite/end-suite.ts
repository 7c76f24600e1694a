import { describe, expect, it } from 'vitest'
import { noBlobs } from '../../blob-source.ts'
import type { ModelPart } from '../../model-port.ts'
import { collectParts } from '../collect-parts.ts'
import type { LoopbackRequest } from '../loopback-server.ts'
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

/** The limit of the rule: the connection is closed so many milliseconds after the stop is known. */
const CLOSED_WITHIN_MS = 200

/** What a port does when an answer is cut, stopped or left. */
export function describeEnds(harness: ModelPortHarness): void {
  const { wire } = harness
  describe('an end', () => {
    const { server, model } = usePort(harness)
    const answer = eventsOf(wire, [
      { type: 'text', pieces: ['one ', 'two ', 'three'] },
      { type: 'tool-call', callId: 'c', name: 'read_file', pieces: ['{"a"', ':1}'] },
    ])
    const ending = wire.end('tool-calls', USAGE).length

    it('[RUN5] is no finish when the stream ends before the provider does, wherever that is', async () => {
      for (let count = wire.start(USAGE).length + 1; count <= answer.length - ending; count++) {
        server().answer(async (exchange) => {
          await sendEvents(exchange, answer.slice(0, count))
          exchange.end()
        })
        const { parts, error } = await readAll((onPart) =>
          model().stream(PLAIN_REQUEST, { signal: noAbort(), blobs: noBlobs, onPart }),
        )
        expect(error).toBeNull()
        expect(collectParts(parts).finish).toBeNull()
      }
    })

    it('[RUN5] is a failure of the line when nothing of the answer came: it may be asked for again', async () => {
      server().answer(async (exchange) => {
        await sendEvents(exchange, [])
        exchange.end()
      })
      const { parts, error } = await readAll((onPart) =>
        model().stream(PLAIN_REQUEST, { signal: noAbort(), blobs: noBlobs, onPart }),
      )
      expect([parts, error?.code]).toEqual([[], 'network'])
    })

    it('[RUN5] is no finish when the connection breaks in the middle, and what came stays', async () => {
      const looked = Promise.withResolvers<void>()
      server().answer(async (exchange) => {
        await sendEvents(exchange, [
          ...wire.start(USAGE),
          ...wire.block({ type: 'text', pieces: ['one ', 'two '] }, 0).slice(0, 2),
        ])
        await looked.promise
        exchange.reset()
      })
      const seen: ModelPart[] = []
      const reading = model().stream(PLAIN_REQUEST, {
        signal: noAbort(),
        blobs: noBlobs,
        onPart(part) {
          seen.push(part)
          if (part.type === 'block-delta') looked.resolve()
          return undefined
        },
      })
      await expect(reading).rejects.toMatchObject({ name: 'ProviderError', code: 'network' })
      expect(collectParts(seen)).toMatchObject({ finish: null, blocks: [{ type: 'text' }] })
    })

    const states: readonly (readonly [string, (exchange: LoopbackRequest) => Promise<void> | void])[] = [
      ['before the head of the answer', () => {}],
      ['before the first event', (exchange) => sendEvents(exchange, [])],
      ['while only pings come', (exchange) => sendEvents(exchange, [wire.ping, wire.ping])],
      ['inside a text', (exchange) => sendEvents(exchange, answer.slice(0, 3))],
      [
        'inside the body of an error',
        async (exchange) => {
          exchange.head(500, { 'content-type': 'application/json' })
          await exchange.write('{"error":')
        },
      ],
    ]
    it.each(states)('[STOP2] closes the connection within 200 ms of the signal %s', async (_state, play) => {
      const abort = new AbortController()
      const reached = new Promise<LoopbackRequest>((resolve) => {
        server().answer(async (exchange) => {
          await play(exchange)
          resolve(exchange)
        })
      })
      const reading = readAll((onPart) =>
        model().stream(PLAIN_REQUEST, { signal: abort.signal, blobs: noBlobs, onPart }),
      )
      const exchange = await reached
      await turnOfTheLoop()
      const abortedAt = performance.now()
      abort.abort()
      expect(await exchange.closed).toBe('client')
      expect(performance.now() - abortedAt).toBeLessThan(CLOSED_WITHIN_MS)
      const { parts } = await reading
      expect(collectParts(parts).finish).toBeNull()
    })

    it('[STOP1] asks nothing when the signal has aborted before', async () => {
      const { parts } = await readAll((onPart) =>
        model().stream(PLAIN_REQUEST, { signal: AbortSignal.abort(), blobs: noBlobs, onPart }),
      )
      expect([parts, server().exchanges.length]).toEqual([[], 0])
    })

    it('[RUN6] makes nothing of pings: silence is counted by what a port hands on', async () => {
      const abort = new AbortController()
      const sent = Promise.withResolvers<void>()
      server().answer(async (exchange) => {
        await sendEvents(
          exchange,
          Array.from({ length: 50 }, () => wire.ping),
        )
        sent.resolve()
      })
      const reading = readAll((onPart) =>
        model().stream(PLAIN_REQUEST, { signal: abort.signal, blobs: noBlobs, onPart }),
      )
      await sent.promise
      await turnOfTheLoop()
      abort.abort()
      expect(await reading).toEqual({ parts: [], error: null })
    })
  })
}

/** Lets what is under way come to rest: the client has read what the server has sent. */
async function turnOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}
