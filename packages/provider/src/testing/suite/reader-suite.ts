import { describe, expect, it } from 'vitest'
import { noBlobs } from '../../blob-source.ts'
import type { ModelPart, StreamPorts } from '../../model-port.ts'
import { collectParts } from '../collect-parts.ts'
import type { LoopbackRequest } from '../loopback-server.ts'
import type { WireBlock } from '../wire-script.ts'
import { eventsOf, type ModelPortHarness, noAbort, PLAIN_REQUEST, sendEvents, USAGE, usePort } from './port-fixture.ts'

const WORDS: readonly WireBlock[] = [{ type: 'text', pieces: ['one ', 'two ', 'three ', 'four'] }]

/** What a port does with whoever takes its parts: one that pauses, one that stops, one that fails. */
export function describeReaders(harness: ModelPortHarness): void {
  const { wire, speaksItself } = harness
  describe('a reader', () => {
    const { server, model } = usePort(harness)
    const answer = eventsOf(wire, WORDS)
    const ending = wire.end('end', USAGE)

    /** Answers with all of it in one piece, which comes in one read, and leaves the line open. */
    function answerAtOnce(events: readonly string[]): Promise<LoopbackRequest> {
      return new Promise((resolve) => {
        server().answer(async (exchange) => {
          await sendEvents(exchange, [events.join('')])
          resolve(exchange)
        })
      })
    }

    function ask({ signal, onPart }: Pick<StreamPorts, 'signal' | 'onPart'>): Promise<void> {
      return model().stream(PLAIN_REQUEST, { signal, blobs: noBlobs, onPart })
    }

    if (speaksItself)
      it('[RUN18] is given the parts of one read in one call, without a wait between them', async () => {
        void answerAtOnce(answer)
        const seen: ModelPart[] = []
        let turns = 0
        const turnsAt: number[] = []
        await ask({
          signal: noAbort(),
          onPart(part) {
            if (seen.length === 0) queueMicrotask(() => (turns += 1))
            seen.push(part)
            turnsAt.push(turns)
            return undefined
          },
        })
        expect(turnsAt.length).toBeGreaterThan(4)
        expect(new Set(turnsAt)).toEqual(new Set([0]))
      })

    it('[RUN18] that pauses is given nothing until it goes on, and then the rest in its order', async () => {
      void answerAtOnce(answer).then((exchange) => exchange.end())
      const seen: ModelPart[] = []
      const paused = Promise.withResolvers<void>()
      const room = Promise.withResolvers<void>()
      let isPausing = false
      const reading = ask({
        signal: noAbort(),
        onPart(part) {
          expect(isPausing).toBe(false)
          seen.push(part)
          if (part.type !== 'block-delta' || seen.some(({ type }) => type === 'finish')) return undefined
          isPausing = true
          paused.resolve()
          return room.promise.then(() => {
            isPausing = false
          })
        },
      })
      await paused.promise
      const before = seen.length
      await turnsOfTheLoop()
      expect(seen.length).toBe(before)
      room.resolve()
      await reading
      expect(collectParts(seen)).toMatchObject({ finish: 'end', blocks: [{ text: 'one two three four' }] })
    })

    it('[RUN19] that stops between two parts of one read is given none of the others', async () => {
      const asked = answerAtOnce(answer)
      const stopping = new AbortController()
      const seen: string[] = []
      await ask({
        signal: stopping.signal,
        onPart(part) {
          if (part.type === 'block-delta') {
            seen.push(part.text)
            stopping.abort()
          } else if (stopping.signal.aborted) seen.push(part.type)
          return undefined
        },
      })
      await turnsOfTheLoop()
      expect(seen).toEqual(['one '])
      expect(await (await asked).closed).toBe('client')
    })

    it('[RUN19, STOP3] that stops in a pause is not waited for', async () => {
      const asked = answerAtOnce(answer)
      const stopping = new AbortController()
      const seen: string[] = []
      await ask({
        signal: stopping.signal,
        onPart(part) {
          if (part.type !== 'block-delta') return undefined
          seen.push(part.text)
          setImmediate(() => stopping.abort())
          return new Promise<never>(() => {})
        },
      })
      expect(await (await asked).closed).toBe('client')
      expect(seen).toEqual(['one '])
    })

    /** Errors with a code look like those of a line. */
    const full = Object.assign(new Error('The disk is full'), { code: 'ENOSPC' })
    it.each([
      [
        'throws',
        () => {
          throw full
        },
      ],
      ['fails in a pause', () => Promise.reject(full)],
    ])('[RUN19] that %s ends the request with its own error, and closes the connection', async (_how, fail) => {
      const asked = answerAtOnce(answer.slice(0, -ending.length))
      const seen: string[] = []
      const reading = ask({
        signal: noAbort(),
        onPart(part) {
          if (part.type !== 'block-delta') return undefined
          seen.push(part.text)
          return fail()
        },
      })
      expect(await reading.catch((error: unknown) => error)).toBe(full)
      expect(await (await asked).closed).toBe('client')
      await turnsOfTheLoop()
      expect(seen).toEqual(['one '])
    })

    if (speaksItself)
      it('[RUN19] is given nothing after the finish, whatever the server goes on to send', async () => {
        const more = wire.block({ type: 'text', pieces: ['and more'] }, 1)
        server().answer(async (exchange) => {
          await sendEvents(exchange, [[...answer, ...more].join('')])
          await exchange.write(more.join(''))
        })
        const seen: ModelPart[] = []
        await ask({ signal: noAbort(), onPart: (part) => void seen.push(part) })
        await turnsOfTheLoop()
        expect(collectParts(seen)).toMatchObject({ finish: 'end', blocks: [{ text: 'one two three four' }] })
      })
  })
}

/** Lets what is under way come to rest. */
async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}
