import { createManualClock, type ManualClock } from '@holdfast/engine/testing'
import type { ToolDefinition } from '@holdfast/tool'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { createHouseDoor, type HouseDoor, type HousePort } from '../src/index.ts'

const CARD: ToolDefinition = {
  name: 'canvas_add_card',
  description: 'Puts a card on the canvas',
  parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  category: 'other',
  annotations: { readOnly: false, destructive: false },
}

type Made = Parameters<HousePort['call']>[0]

interface Served {
  readonly app: FastifyInstance
  readonly door: HouseDoor
  readonly clock: ManualClock
  readonly made: Made[]
  /** Resolves with the next call. */
  next(): Promise<Made>
  /** Ends the calls that wait. */
  answer(text: string): void
}

let served: Served
const clients: Client[] = []

async function serve(): Promise<void> {
  const made: Made[] = []
  const clock = createManualClock()
  let came = Promise.withResolvers<Made>()
  let answered = Promise.withResolvers<string>()
  const port: HousePort = {
    definitionsOf: (conversationId) => (conversationId === 'c1' ? [CARD] : []),
    async call(call) {
      made.push(call)
      came.resolve(call)
      came = Promise.withResolvers<Made>()
      return { text: await answered.promise, isError: false }
    },
  }
  const app = fastify()
  const door = createHouseDoor({
    port,
    clock,
    version: '1.0.0',
    url: async () => app.listeningOrigin,
    log: { error: (message, fields) => expect.unreachable(`${message} ${JSON.stringify(fields)}`) },
  })
  door.bind({ app })
  await app.listen({ host: '127.0.0.1', port: 0 })
  served = {
    app,
    door,
    clock,
    made,
    next: () => came.promise,
    answer(text) {
      answered.resolve(text)
      answered = Promise.withResolvers<string>()
    },
  }
}

async function connect(address: { url: string; key: string }, mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode } })
  clients.push(client)
  const requestInit = { headers: { authorization: `Bearer ${address.key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(address.url), { requestInit }))
  return client
}

const DRAW = { name: 'canvas_add_card', arguments: { title: 'A' } }

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  served.app.server.closeAllConnections()
  await served.app.close()
})

describe.each(['auto', 'legacy'] as const)('the door to house tools, by version: %s', (mode) => {
  test('[AGENT41] lists the tools of one conversation, and hands a call on with what came of it', async () => {
    await serve()
    const opened = await served.door.open({ conversationId: 'c1', userId: 'u1' })
    const client = await connect(opened, mode)
    const { tools } = await client.listTools()
    expect(tools).toMatchObject([{ name: 'canvas_add_card', inputSchema: CARD.parameters }])
    const coming = served.next()
    const calling = client.callTool(DRAW)
    expect(await coming).toMatchObject({ conversationId: 'c1', name: 'canvas_add_card', input: { title: 'A' } })
    served.answer('card e1')
    expect(await calling).toMatchObject({ content: [{ type: 'text', text: 'card e1' }], isError: false })
  })

  test('[AGENT41] says of a call that waits that it does, so that nobody gives it up', async () => {
    await serve()
    const client = await connect(await served.door.open({ conversationId: 'c1', userId: 'u1' }), mode)
    const coming = served.next()
    const told: number[] = []
    let heard = Promise.withResolvers<void>()
    const calling = client.callTool(DRAW, {
      onprogress({ progress }) {
        told.push(progress)
        heard.resolve()
        heard = Promise.withResolvers<void>()
      },
    })
    await coming
    for (let times = 0; times < 3; times++) {
      const next = heard.promise
      await served.clock.advance(10_000)
      await next
    }
    served.answer('card e1')
    await calling
    expect(told).toEqual([1, 2, 3])
  })

  test('[AGENT43] tells a call that the client calls off from one that goes on', async () => {
    await serve()
    const client = await connect(await served.door.open({ conversationId: 'c1', userId: 'u1' }), mode)
    const other = await connect(await served.door.open({ conversationId: 'c1', userId: 'u1' }), mode)
    const leaving = new AbortController()
    const first = served.next()
    const calling = client.callTool(DRAW, { signal: leaving.signal })
    const { signal } = await first
    const second = served.next()
    const going = other.callTool(DRAW)
    const { signal: others } = await second
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    leaving.abort()
    await expect(calling).rejects.toThrow()
    await aborted
    expect(others.aborted).toBe(false)
    served.answer('card e2')
    expect(await going).toMatchObject({ isError: false })
  })

  test('[AGENT43] a key opens one conversation until it is given back, and what waits by it ends then', async () => {
    await serve()
    const opened = await served.door.open({ conversationId: 'c1', userId: 'u1' })
    const elsewhere = await connect(await served.door.open({ conversationId: 'c2', userId: 'u1' }), mode)
    expect((await elsewhere.listTools()).tools).toEqual([])
    const client = await connect(opened, mode)
    const coming = served.next()
    const calling = client.callTool(DRAW)
    calling.catch(() => {})
    const { signal } = await coming
    opened.revoke()
    expect(signal.aborted).toBe(true)
    const post = (key: string) =>
      fetch(opened.url, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })
    expect((await post(opened.key)).status).toBe(401)
    expect((await post('hfh_wrong')).status).toBe(401)
    expect((await fetch(opened.url, { method: 'POST' })).status).toBe(401)
    expect(served.made).toHaveLength(1)
  })
})

test('[AGENT41] answers what is no message of the protocol with an error, and goes on', async () => {
  await serve()
  const opened = await served.door.open({ conversationId: 'c1', userId: 'u1' })
  const post = (body: string) =>
    fetch(opened.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${opened.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body,
    })
  for (const body of ['not json', '{}', '[]', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', 'null']) {
    const answer = await post(body)
    const text = await answer.text()
    expect(answer.status >= 400 || text.includes('error'), `${body}: ${answer.status} ${text}`).toBe(true)
  }
  const client = await connect(opened, 'legacy')
  expect((await client.listTools()).tools).toHaveLength(1)
})
