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
import { createSocketLine } from '../src/live/socket-line.ts'

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
  return { ...(await served.promise), client, seen }
}

test('[SYNC3] sends what one turn of the loop brings in one write, in order, and nothing waits for the next', async () => {
  const { socket, wire, client, seen } = await openSocket()
  const line = createSocketLine({ socket, wire, clock: systemClock, limits: LINE_LIMITS })
  let writes = 0
  const uncork = wire.uncork.bind(wire)
  wire.uncork = () => {
    const heldBytes = wire.writableLength
    uncork()
    if (wire.writableCorked === 0 && heldBytes > 0) writes += 1
  }
  for (const head of [1, 2, 3]) line.send({ type: 'caught-up', conversationId: 'c1', head })
  expect(wire.writableCorked).toBe(1)
  await expect.poll(() => seen.length).toBe(3)
  expect(seen.map((text) => JSON.parse(text).head)).toEqual([1, 2, 3])
  expect(writes).toBe(1)
  expect(wire.writableCorked).toBe(0)

  line.send({ type: 'pong' })
  await expect.poll(() => seen.length).toBe(4)
  const closed = once(client, 'close')
  line.close(CLOSE.goingAway)
  await closed
  expect(JSON.parse(seen.at(-1) ?? '')).toMatchObject({ type: 'goodbye', code: CLOSE.goingAway.code })
})

function delta(conversationId: string, offset: number): ServerFrame {
  return { type: 'delta', conversationId, stepId: `step_${conversationId}`, block: 0, offset, text: 'words' }
}

test('[SYNC3] lets text that goes on wait a moment for more, and nothing else', async () => {
  const { socket, wire, client, seen } = await openSocket()
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
  expect(wire.writableCorked).toBe(1)
  await clock.advance(10)
  expect(wire.writableCorked).toBe(0)
  await expect.poll(texts).toEqual([0, 5, 7])

  line.send(delta('c1', 10))
  line.send({ type: 'pong' })
  await expect.poll(texts).toEqual([0, 5, 7, 10, 'pong'])
  expect(wire.writableCorked).toBe(0)

  line.send(delta('c1', 15))
  const closed = once(client, 'close')
  line.close(CLOSE.goingAway)
  await closed
  expect(texts().slice(-2)).toEqual([15, 'goodbye'])
})
