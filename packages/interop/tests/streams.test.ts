import { DurableStream, stream } from '@durable-streams/client'
import type { Entry } from '@holdfast/conversation'
import { begins, says } from '@holdfast/engine/testing'
import { afterEach, expect, test } from 'vitest'
import { nextCursor } from '../src/streams/stream-place.ts'
import { type ServedChat, serveChat, TOKEN } from './support/served-chat.ts'

let served: ServedChat

afterEach(async () => {
  await served.close()
})

const headers = { authorization: `Bearer ${TOKEN}` }
const url = (id: string): string => `${served.url}/api/v1/interop/streams/${id}`
const logOf = async (conversationId: string) =>
  (await served.store.read({ conversationId, after: 0, limit: 1_000 })).entries

/** Says something and waits for the end of the turn. */
async function say(id: string, text: string, ends: number): Promise<void> {
  const body = { commandId: `c-${text}`, content: [{ type: 'text', text }], lane: 'turn' }
  await fetch(`${served.url}/api/v1/interop/ag-ui/run`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      threadId: id,
      runId: text,
      messages: [{ id: body.commandId, role: 'user', content: text }],
    }),
  }).then((answered) => answered.text())
  const count = async () => (await logOf(id)).filter(({ type }) => type === 'run-finished').length
  await expect.poll(count).toBe(ends)
}

test('[SYNC1] the client of Durable Streams reads a conversation whole, and goes on wherever it was cut', async () => {
  served = await serveChat([says('One'), says('Two'), says('Three')])
  await say('c', 'a', 1)
  await say('c', 'b', 2)
  await say('c', 'c', 3)
  const log = await logOf('c')
  const whole = await stream<Entry>({ url: url('c'), headers, live: false })
  expect(await whole.json()).toEqual(log)
  for (const { seq } of log) {
    const rest = await stream<Entry>({ url: url('c'), headers, live: false, offset: String(seq).padStart(16, '0') })
    expect(await rest.json()).toEqual(log.slice(seq))
    expect(rest.offset).toBe(String(log.length).padStart(16, '0'))
  }
})

test('[SYNC1] what comes is told live, by either way, once and in order', async () => {
  for (const live of ['sse', 'long-poll'] as const) {
    served = await serveChat([says('One'), [...begins('Tw'), { type: 'wait' }, ...says('o').slice(1)]])
    await say('c', 'a', 1)
    const left = new AbortController()
    const following = await stream<Entry>({ url: url('c'), headers, live, signal: left.signal })
    const seen: number[] = []
    following.subscribeJson(({ items }) => {
      seen.push(...items.map(({ seq }) => seq))
    })
    const said = say('c', 'b', 2)
    await expect.poll(() => served.engine.openDraft('c')?.blocks[0]?.text).toBe('Tw')
    served.model.proceed()
    await said
    const { length } = await logOf('c')
    await expect.poll(() => seen.length).toBe(length)
    expect(seen).toEqual(Array.from({ length }, (_, index) => index + 1))
    left.abort()
    await served.close()
  }
  served = await serveChat([])
})

test('[SYNC1] where a stream ends is told without its content, and tags change with what is read', async () => {
  served = await serveChat([says('One')])
  await say('c', 'a', 1)
  const { length } = await logOf('c')
  const end = String(length).padStart(16, '0')
  expect(await new DurableStream({ url: url('c'), headers }).head()).toMatchObject({ exists: true, offset: end })
  const first = await fetch(url('c'), { headers })
  const tag = first.headers.get('etag') ?? ''
  expect(first.headers.get('stream-up-to-date')).toBe('true')
  expect((await fetch(url('c'), { headers: { ...headers, 'if-none-match': tag } })).status).toBe(304)
  const later = await fetch(`${url('c')}?offset=0000000000000001`, { headers: { ...headers, 'if-none-match': tag } })
  expect(later.status).toBe(200)
  const now = await fetch(`${url('c')}?offset=now`, { headers })
  expect([await now.json(), now.headers.get('stream-next-offset'), now.headers.get('etag')]).toEqual([[], end, null])
  const ahead = await fetch(`${url('c')}?offset=0000000000009999`, { headers })
  expect([await ahead.json(), ahead.headers.get('stream-next-offset')]).toEqual([[], '0000000000009999'])
})

test('[SEC1] no stream is read that is not one’s own, and no place that is none', async () => {
  served = await serveChat([])
  expect((await fetch(url('none'), { headers })).status).toBe(404)
  await say('c', 'a', 1).catch(() => null)
  expect((await fetch(url('c'))).status).toBe(401)
  for (const query of ['offset=', 'offset=1', 'offset=-2', 'offset=00000000000000001', 'live=yes', 'cursor=x'])
    expect((await fetch(`${url('c')}?${query}`, { headers })).status, query).toBe(400)
})

test('[SYNC1] a cursor never stands still, so that no cache answers twice', () => {
  const now = Date.UTC(2026, 0, 1)
  const least = { now, ahead: (from: number) => from }
  const present = nextCursor(undefined, least)
  expect(Number(nextCursor(present, least))).toBe(Number(present) + 1)
  expect(nextCursor('5', least)).toBe(present)
  expect(Number(nextCursor('999999999', { now, ahead: (_, below) => below - 1 }))).toBe(999_999_999 + 3_599)
})
