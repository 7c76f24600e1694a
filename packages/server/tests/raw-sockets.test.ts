import { connect, createServer, type Socket } from 'node:net'
import { API_PATH, SOCKET_PATH } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { MAX_LINES_OF_USER } from '../src/door/lines.ts'
import { type Served, serve, TOKEN } from './support/serve.ts'

let served: Served
let sockets: Socket[] = []

beforeEach(async () => {
  served = await serve({ webRoot: null })
})

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await served.close()
})

interface RawLine {
  readonly heard: () => string
  readonly isClosed: () => boolean
  readonly statuses: () => readonly number[]
}

/** Sends these bytes and listens. */
function sendRaw(bytes: string): RawLine {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  sockets.push(socket)
  let heard = ''
  let isClosed = false
  socket.on('error', () => {})
  socket.on('data', (piece) => {
    heard += piece.toString('latin1')
  })
  socket.on('close', () => {
    isClosed = true
  })
  socket.write(Buffer.from(bytes, 'latin1'))
  return {
    heard: () => heard,
    isClosed: () => isClosed,
    statuses: () => [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)),
  }
}

/** For what another end of a line does in its own time. */
const POLL = { timeout: 20_000, interval: 10 }

const head = (): string =>
  `host: ${served.host}\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\n`

/** A whole request of its own, which must never be carried out as part of another. */
function smuggled(): string {
  const body = '{"commandId":"smuggled"}'
  return `POST ${API_PATH}/conversations HTTP/1.1\r\n${head()}content-length: ${body.length}\r\n\r\n${body}`
}

const framings: readonly (readonly [string, string, string])[] = [
  ['both lengths', 'content-length: 4\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n'],
  ['both lengths, the other way round', 'transfer-encoding: chunked\r\ncontent-length: 4\r\n', '0\r\n\r\n'],
  ['two lengths', 'content-length: 2\r\ncontent-length: 4\r\n', '{}'],
  ['two lengths in one', 'content-length: 2, 4\r\n', '{}'],
  ['a length with a sign', 'content-length: +2\r\n', '{}'],
  ['a length below nothing', 'content-length: -1\r\n', ''],
  ['a length in another base', 'content-length: 0x2\r\n', '{}'],
  ['a length that is too large to be one', 'content-length: 99999999999999999999999\r\n', '{}'],
  ['an encoding that is none', 'transfer-encoding: xchunked\r\n', '0\r\n\r\n'],
  ['an encoding before another', 'transfer-encoding: chunked, identity\r\n', '0\r\n\r\n'],
  ['a space before the colon', 'transfer-encoding : chunked\r\n', '0\r\n\r\n'],
  ['a folded header', 'transfer-encoding:\r\n chunked\r\ncontent-length: 5\r\n', '0\r\n\r\n'],
  ['a header without a name', ': x\r\ncontent-length: 0\r\n', ''],
  ['a byte of nothing in a header', 'x-a: a\0b\r\ncontent-length: 0\r\n', ''],
  ['a bare line feed', 'x-a: b\ntransfer-encoding: chunked\r\n', '0\r\n\r\n'],
  ['a bare carriage return', 'x-a: b\rtransfer-encoding: chunked\r\n', '0\r\n\r\n'],
  ['a piece that is too large to be one', 'transfer-encoding: chunked\r\n', 'FFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n'],
  ['a piece with a wrong end', 'transfer-encoding: chunked\r\n', '2\r\n{}x\r\n0\r\n\r\n'],
  ['a piece without a size', 'transfer-encoding: chunked\r\n', '\r\n{}\r\n0\r\n\r\n'],
]

test.each(framings)(
  '[SEC5] a request with %s is refused, and nothing behind it is one',
  async (_name, headers, body) => {
    const line = sendRaw(`POST ${API_PATH}/conversations HTTP/1.1\r\n${head()}${headers}\r\n${body}${smuggled()}`)
    await expect.poll(line.isClosed, POLL).toBe(true)
    expect(line.statuses()).toEqual([400])
    expect(await served.store.listConversations({ ownerId: 'local', archived: false, limit: 5 })).toEqual([])
  },
)

test('[SEC5] what a well-formed request carries is its body, however much it looks like another', async () => {
  const body = JSON.stringify({ commandId: 'outer', title: smuggled() })
  const line = sendRaw(
    `POST ${API_PATH}/conversations HTTP/1.1\r\n${head()}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
  await expect.poll(line.isClosed, POLL).toBe(true)
  expect(line.statuses()).toEqual([201])
  expect(await served.store.listConversations({ ownerId: 'local', archived: false, limit: 5 })).toHaveLength(1)
})

test('[SEC5] no form of a request leads to another server, and no protocol but ours is spoken', async () => {
  let reached = 0
  const elsewhere = createServer((socket) => {
    reached += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const address = elsewhere.address()
  const target = typeof address === 'object' && address !== null ? `127.0.0.1:${address.port}` : ''
  const upgrade = 'connection: Upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  const requests = [
    `GET http://${target}/ HTTP/1.1\r\nhost: ${target}\r\n`,
    `GET http://${target}/ HTTP/1.1\r\n${head()}`,
    `GET http://${target}${SOCKET_PATH} HTTP/1.1\r\n${head()}${upgrade}upgrade: websocket\r\n`,
    `GET //${target}/ HTTP/1.1\r\n${head()}`,
    `GET /\\${target}/ HTTP/1.1\r\n${head()}`,
    `CONNECT ${target} HTTP/1.1\r\n${head()}`,
    `GET ${API_PATH}/health HTTP/1.1\r\n${head()}connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA\r\n`,
    ...['/', `${API_PATH}/conversations`, `${API_PATH}/health`, `${API_PATH}/none`].map(
      (path) => `GET ${path} HTTP/1.1\r\n${head()}${upgrade}upgrade: websocket\r\n`,
    ),
    `GET ${SOCKET_PATH} HTTP/1.1\r\n${head()}${upgrade}upgrade: something-else\r\n`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n',
  ]
  try {
    for (const request of requests) {
      const line = sendRaw(`${request}\r\n`)
      await expect.poll(() => line.isClosed() || line.statuses().length > 0, POLL).toBe(true)
      expect([request.split('\r\n')[0], line.statuses().filter((status) => status === 101 || status < 200)]).toEqual([
        request.split('\r\n')[0],
        [],
      ])
    }
    expect(reached).toBe(0)
  } finally {
    elsewhere.close()
  }
})

test('[SEC5] a head that is too large is refused', async () => {
  const large = sendRaw(`GET ${API_PATH}/health HTTP/1.1\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`)
  await expect.poll(large.isClosed, POLL).toBe(true)
  expect(large.statuses()).toEqual([431])
  const many = sendRaw(`GET ${API_PATH}/health HTTP/1.1\r\n${'x-a: a\r\n'.repeat(3_000)}\r\n`)
  await expect.poll(many.isClosed, POLL).toBe(true)
  expect(many.statuses()).toEqual([431])
})

test('[SEC5] heads that come byte by byte are given up, and others are served meanwhile', async () => {
  const careful = await serve({ webRoot: null, headLimits: { maxBytes: 16_384, arrivalMs: 400 } })
  const drips: NodeJS.Timeout[] = []
  try {
    const port = Number(new URL(careful.url).port)
    const lines = Array.from({ length: 50 }, () => {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      let isClosed = false
      socket
        .on('error', () => {})
        .on('close', () => {
          isClosed = true
        })
      socket.write(`GET ${API_PATH}/health HTTP/1.1\r\nx-a: `)
      drips.push(setInterval(() => socket.writable && socket.write('a'), 20))
      return () => isClosed
    })
    expect((await careful.call('GET', `${API_PATH}/conversations`)).status).toBe(200)
    await expect.poll(() => lines.every((isClosed) => isClosed()), POLL).toBe(true)
    expect((await careful.call('GET', `${API_PATH}/conversations`)).status).toBe(200)
  } finally {
    for (const drip of drips) clearInterval(drip)
    await careful.close()
  }
})

test('[SEC5] a user who has as many lines as one may have is told so, and has room again when one is closed', async () => {
  const id = await served.newConversation()
  const address = `${served.url}${API_PATH}/conversations/${id}/entries?live=sse`
  const headers = { authorization: `Bearer ${TOKEN}` }
  // Each with its answer: one that nobody holds is closed when memory is collected.
  const streams: { readonly leaving: AbortController; readonly answer: Response }[] = []
  const openStream = async (): Promise<number> => {
    const leaving = new AbortController()
    const answer = await fetch(address, { headers, signal: leaving.signal })
    if (answer.status === 200) streams.push({ leaving, answer })
    return answer.status
  }
  try {
    for (let count = 0; count < MAX_LINES_OF_USER; count += 1) expect(await openStream()).toBe(200)
    const refused = await fetch(address, { headers })
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({
      code: 'too-many-lines',
      detail: expect.stringContaining('close some'),
    })
    const socket = new WebSocket(`${served.url.replace('http', 'ws')}${SOCKET_PATH}`, { headers })
    const status = await new Promise((resolve) =>
      socket.on('unexpected-response', (_request, answer) => resolve(answer.statusCode)),
    )
    expect(status).toBe(429)
    socket.on('error', () => {}).terminate()
    expect((await fetch(`${served.url}${API_PATH}/conversations`, { headers })).status).toBe(200)
    streams[0]?.leaving.abort()
    await expect.poll(openStream, POLL).toBe(200)
  } finally {
    for (const { leaving } of streams) leaving.abort()
  }
})
