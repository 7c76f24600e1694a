import { connect } from 'node:net'
import type { Clock } from '@holdfast/conversation'
import fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { ARRIVAL_MS, limitArrival } from '../src/door/arrival-limit.ts'

const due: (() => void)[] = []
const clock: Clock = {
  now: () => 0,
  monotonicMs: () => 0,
  after(delayMs, run) {
    expect(delayMs).toBe(ARRIVAL_MS)
    due.push(run)
    return () => due.splice(due.indexOf(run), 1)
  },
}
const app = fastify()
let seen = 0
limitArrival(app, clock)
app.addHook('onRequest', async () => {
  seen++
})
app.post('/api/v1/conversations', async () => 'done')
app.post('/api/v1/import', async () => 'done')

afterEach(() => app.close())

/** Sends the head of a request and a part of its body. */
async function begin(path: string) {
  const { port } = new URL(app.listeningOrigin)
  const socket = connect(Number(port), '127.0.0.1')
  const head = `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"a"`
  socket.on('error', () => {})
  socket.write(head)
  return socket
}

test('[SEC5] a request that does not arrive is closed, an import may take its time', async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const slow = await begin('/api/v1/conversations')
  const closed = new Promise<void>((resolve) => slow.on('close', () => resolve()))
  await expect.poll(() => due.length).toBe(1)
  const file = await begin('/api/v1/import')
  const answered = new Promise<string>((resolve) => file.on('data', (piece) => resolve(String(piece))))
  await expect.poll(() => seen).toBe(2)
  for (const run of due.slice()) run()
  await closed
  file.write(':"b"}')
  expect(await answered).toContain('200 OK')
  expect(due).toEqual([])
  file.destroy()
})
