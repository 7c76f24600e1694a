import { once } from 'node:events'
import type { Socket } from 'node:net'
import websocket, { type WebSocket } from '@fastify/websocket'
import { systemClock } from '@holdfast/engine/system'
import { createManualClock } from '@holdfast/engine/testing'
import { CLOSE, type ServerFrame } from '@holdfast/protocol'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket as Client } from 'ws'
import { LINE_LIMITS } from '../src/live/outlet.ts'
import { createSocketLine, type Wire } from '../src/live/socket-line.ts'

/** A socket with both of its ends. */
async function openSocket() {
  const app = fastify()
  const served = Promise.withResolvers<{ readonly socket: WebSocket; readonly wire: Socket }>()
  await app.register(websocket)
  app.get('/', { websocket: true }, (socket, request) => served.resolve({ socket, wire: request.raw.socket }))
  const client = new Client((await app.listen({ port: 0, host: '127.0.0.1' })).replace('http', 'ws'))
  const seen: string[] = []
  client.on('message', (data) => seen.push(String(data)))
  await once(client, 'open')
  onTestFinished(async () => {
    client.terminate()
    await app.close()
  })
  const { socket, wire } = await served.promise
  const written: Buffer[] = []
  const counting: Wire = {
    write(messages, whenDone) {
      written.push(messages)
      return wire.write(messages, whenDone)
    },
  }
  return { socket, wire: counting, written, client, seen }
}

test('[SYNC3, SYNC14] sends what one turn of the loop brings in one write, in order, and nothing waits for the next', async () => {
  const { socket, wire, written, client, seen } = await openSocket()
  const line = createSocketLine({ socket, wire, clock: systemClock, limits: LINE_LIMITS })
  for (const head of [1, 2, 3]) line.send({ type: 'caught-up', conversationId: 'c1', head })
  expect(written.length).toBe(0)
  await expect.poll(() => seen.length).toBe(3)
  expect(seen.map((text) => JSON.parse(text).head)).toEqual([1, 2, 3])
  expect(written.length).toBe(1)

  line.send({ type: 'pong' })
  await expect.poll(() => seen.length).toBe(4)
  const closed = once(client, 'close')
  line.close(CLOSE.goingAway)
  await closed
  expect(JSON.parse(seen.at(-1) ?? '')).toMatchObject({ type: 'goodbye', code: CLOSE.goingAway.code })
})

test('[SYNC14] brings messages of every length whole and in order, whatever is in them', async () => {
  const { socket, wire, written, seen } = await openSocket()
  const line = createSocketLine({ socket, wire, clock: systemClock, limits: LINE_LIMITS })
  const bare = JSON.stringify(progress('')).length
  const lengths = [0, 125 - bare, 126 - bare, 65_535 - bare, 65_536 - bare, 65_537 - bare, 200_000, 9_000_000]
  const texts = [...lengths.map((length) => 'x'.repeat(length)), 'ä€😀\u2028"\\\n\0', 'lone \ud800 half', 'short']
  for (const text of texts) line.send(progress(text))
  await expect.poll(() => seen.length).toBe(texts.length)
  expect(seen.map((text) => JSON.parse(text).message)).toEqual(texts)
  expect(Math.max(...written.filter(({ length }) => length < 200_000).map(({ length }) => length))).toBeLessThan(66_000)
})

test('[SYNC14] writes nothing behind the goodbye of the other end', async () => {
  const { socket, wire, written, client } = await openSocket()
  const line = createSocketLine({ socket, wire, clock: systemClock, limits: LINE_LIMITS })
  const closed = once(socket, 'close')
  client.pause()
  // As when the goodbye of the other end was answered and its connection is not down yet.
  socket.close()
  line.send(progress('late'))
  const later = Promise.withResolvers<void>()
  setImmediate(later.resolve)
  await later.promise
  expect(line.isClosed()).toBe(false)
  client.resume()
  await closed
  expect(written).toEqual([])
})

test('[SYNC14] encodes what goes to many readers once', async () => {
  const lines = await Promise.all([openSocket(), openSocket()])
  const frame = progress('for all')
  for (const { socket, wire } of lines)
    createSocketLine({ socket, wire, clock: systemClock, limits: LINE_LIMITS }).send(frame)
  await expect.poll(() => lines.map(({ seen }) => seen.length)).toEqual([1, 1])
  expect(lines[0]?.written[0]).toBe(lines[1]?.written[0])
})

const progress = (message: string): ServerFrame => ({
  type: 'progress',
  conversationId: 'c1',
  callId: 'call_1',
  message,
})

function delta(conversationId: string, offset: number): ServerFrame {
  return { type: 'delta', conversationId, stepId: `step_${conversationId}`, block: 0, offset, text: 'words' }
}

test('[SYNC3] lets text that goes on wait a moment for more, and nothing else', async () => {
  const { socket, wire, written, client, seen } = await openSocket()
  const clock = createManualClock()
  const line = createSocketLine({ socket, wire, clock, limits: LINE_LIMITS })
  const texts = () => seen.map((text) => JSON.parse(text)).map(({ type, offset }) => (type === 'delta' ? offset : type))

  line.send(delta('c1', 0))
  await expect.poll(texts).toEqual([0])

  line.send(delta('c1', 5))
  line.send(delta('c2', 7))
  const later = Promise.withResolvers<void>()
  setImmediate(later.resolve)
  await later.promise
  expect(written.length).toBe(1)
  await clock.advance(10)
  expect(written.length).toBe(2)
  await expect.poll(texts).toEqual([0, 5, 7])

  line.send(delta('c1', 10))
  line.send({ type: 'pong' })
  await expect.poll(texts).toEqual([0, 5, 7, 10, 'pong'])
  expect(written.length).toBe(3)

  line.send(delta('c1', 15))
  const closed = once(client, 'close')
  line.close(CLOSE.goingAway)
  await closed
  expect(texts().slice(-2)).toEqual([15, 'goodbye'])
})
