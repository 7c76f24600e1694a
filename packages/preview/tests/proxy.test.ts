import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import {
  ask,
  begun,
  CREDENTIAL,
  cookieOf,
  entered,
  listening,
  OF_PAGE,
  opened,
  PARENT,
  portOf,
  VISIT,
} from './support/opened.ts'

/** A page's server that says what it was asked. */
async function echo() {
  const seen: IncomingMessage[] = []
  const server = createServer((incoming, outgoing) => {
    seen.push(incoming)
    outgoing.setHeader('content-type', 'application/json')
    outgoing.setHeader('set-cookie', [
      'mine=1; Path=/; Domain=localhost; SameSite=Lax',
      'holdfast_session=stolen; Path=/',
      '__Secure-holdfast_x.session=stolen; Path=/',
    ])
    outgoing.end(JSON.stringify({ headers: incoming.rawHeaders, url: incoming.url }))
  })
  return { server: await listening(server, '127.0.0.1'), seen }
}

test('[PREV1] a ticket opens a preview once, and becomes a cookie that no script reads and no other preview takes', async () => {
  const { server } = await echo()
  const { previews, port, origin, id } = await entered(server, {})
  const url = new URL(previews.ticket({ previewId: id, visitor: 'ada', path: '/a?b=1' }))
  const enter = { port, origin, path: url.pathname + url.search, headers: VISIT }
  const first = await ask(enter)
  expect(first).toMatchObject({ status: 303, headers: { location: '/a?b=1' } })
  expect(first.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=None; Secure; Partitioned$/)
  expect((await ask(enter)).status).toBe(401)
  const { preview: other } = await previews.make({
    userId: 'ada',
    workspaceId: undefined,
    conversationId: undefined,
    source: { type: 'port', port: portOf((await echo()).server) },
  })
  const cookie = (first.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
  const renamed = cookie.replace(id, other.id)
  expect((await ask({ port, origin: other.origin, path: '/', headers: { ...VISIT, cookie: renamed } })).status).toBe(
    401,
  )
  expect((await ask({ port, origin, path: '/', headers: VISIT })).status).toBe(401)
  expect((await ask({ port, origin, path: '/', headers: { ...VISIT, cookie } })).status).toBe(200)
})

test('[PREV1] a ticket is for one preview, and whoever may no longer see one is out with the next request', async () => {
  const { server } = await echo()
  let welcome: string | null = 'ada'
  const { previews, port, origin, id, cookie } = await entered(server, { visitorOf: () => welcome })
  const page = { port, origin, path: '/', headers: { ...VISIT, cookie } }
  expect((await ask(page)).status).toBe(200)
  welcome = null
  expect((await ask(page)).status).toBe(401)
  welcome = 'ada'
  expect((await ask(page)).status).toBe(200)
  await previews.remove(id)
  expect((await ask(page)).status).toBe(421)
})

test('[PREV7] of a thousand mixed requests none brings a cookie, a token or a header of Holdfast to the page, or one back', async () => {
  const { server, seen } = await echo()
  const { port, origin, cookie } = await entered(server, {})
  const leaks: string[] = []
  for (let count = 0; count < 1_000; count++) {
    const headers = {
      ...OF_PAGE,
      cookie: [
        `theirs=${count}`,
        cookie,
        'holdfast_session=SECRET',
        '__Host-holdfast=SECRET',
        'better-auth.session=SECRET',
      ]
        .sort(() => (count % 3) - 1)
        .join('; '),
      authorization: count % 2 === 0 ? CREDENTIAL.replace('a-key', 'SECRET') : 'Bearer of-the-page',
      'x-forwarded-for': '10.0.0.1',
      'x-holdfast-page-key': 'SECRET',
      referer: count % 2 === 0 ? `${PARENT}/c/SECRET` : `${origin}/page`,
      ...(count % 5 === 0 ? { 'x-own': 'kept' } : {}),
    }
    const answer = await ask({ port, origin, path: `/${count}`, method: count % 4 === 0 ? 'POST' : 'GET', headers })
    if (/holdfast|SECRET|x-forwarded/i.test(answer.text)) leaks.push(answer.text)
    if (count % 2 === 1 && !answer.text.includes('Bearer of-the-page')) leaks.push(`${count} lost the page's own key`)
    for (const set of answer.headers['set-cookie'] ?? []) if (!set.startsWith('mine=1; Path=/;')) leaks.push(set)
  }
  expect(leaks).toEqual([])
  // One more is how the preview found out what speaks at the port.
  expect(seen).toHaveLength(1_001)
})

test('[PREV1] the page is told its own host and origin, and its redirects and cookies come back as those of the preview', async () => {
  const server = await listening(
    createServer((incoming, outgoing) => {
      const own = `http://localhost:${portOf(server)}`
      outgoing.writeHead(302, {
        location: `${own}/next`,
        'access-control-allow-origin': own,
        'set-cookie': 'a=1; Domain=localhost; Secure; SameSite=Strict; Path=/',
        'x-saw': `${incoming.headers.host} ${incoming.headers.origin} ${incoming.headers.referer}`,
      })
      outgoing.end()
    }),
    '::1',
  )
  const { port, origin, cookie } = await entered(server, {})
  const { headers } = await ask({
    port,
    origin,
    path: '/',
    method: 'POST',
    headers: { ...OF_PAGE, cookie, origin, referer: `${origin}/from` },
  })
  const own = `localhost:${portOf(server)}`
  expect(headers['x-saw']).toBe(`${own} http://${own} http://${own}/from`)
  expect(headers.location).toBe(`${origin}/next`)
  expect(headers['access-control-allow-origin']).toBe(origin)
  expect(headers['set-cookie']).toEqual(['a=1; Path=/; SameSite=None; Secure; Partitioned'])
})

test('[PREV8] a host that names no preview is answered 421, and pages and sockets of other sites are refused', async () => {
  const { server } = await echo()
  const { port, origin, cookie } = await entered(server, {})
  const { host } = new URL(origin)
  const wrong = [
    '127.0.0.1',
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    'evil.example',
    `evil.${host}`,
    `${host}.evil.example`,
    host.replace(/:\d+/, ':1'),
    '',
    `x.localhost:${port}`,
  ]
  for (const name of wrong)
    expect(
      (await ask({ port, origin: PARENT, path: '/', headers: { ...VISIT, cookie, host: name } })).status,
      name,
    ).toBe(421)
  const refused = [
    { ...OF_PAGE, 'sec-fetch-site': 'cross-site' },
    { ...OF_PAGE, 'sec-fetch-site': 'same-site' },
    { ...OF_PAGE, origin: PARENT },
    { ...OF_PAGE, origin: 'null' },
    { origin: `${origin}.evil.example` },
    { origin: origin.replace('http', 'https') },
  ]
  for (const headers of refused)
    expect((await ask({ port, origin, path: '/', headers: { ...headers, cookie } })).status).toBe(403)
  expect((await ask({ port, origin, path: '/', method: 'POST', headers: { ...VISIT, cookie } })).status).toBe(403)
  for (const from of [undefined, PARENT, 'null', 'http://evil.example']) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, {
      headers: { host, cookie, ...(from ? { origin: from } : {}) },
    })
    socket.on('error', () => {})
    const status = await new Promise((resolve) => {
      socket.once('unexpected-response', (_request, answer) => resolve(answer.statusCode))
      socket.once('open', () => resolve('open'))
    })
    socket.terminate()
    expect(status).toBe(403)
  }
})

test('[PREV9] a socket goes through with its query, its subprotocol and the bytes behind its head, and an answer that opens none comes back', async () => {
  const server = await listening(createServer(), '127.0.0.1')
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has('vite-hmr') ? 'vite-hmr' : false),
  })
  server.on('upgrade', (incoming, socket, head) => {
    if (!incoming.url?.includes('token=t')) {
      socket.end(
        'HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nX-Why: no token\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwrong\r\n0\r\n\r\n',
      )
      return
    }
    sockets.handleUpgrade(incoming, socket, head, (open) => {
      open.send('first')
      open.on('message', (data) => open.send(`echo ${String(data)}`))
    })
  })
  const { port, origin, cookie } = await entered(server, {})
  const { host } = new URL(origin)
  const headers = { host, origin, cookie }
  const open = new WebSocket(`ws://127.0.0.1:${port}/?token=t`, 'vite-hmr', { headers })
  const said: string[] = []
  open.on('message', (data) => said.push(String(data)))
  await new Promise((resolve) => open.once('open', resolve))
  expect(open.protocol).toBe('vite-hmr')
  open.send('hello')
  await expect.poll(() => said).toEqual(['first', 'echo hello'])
  open.terminate()

  const refused = new WebSocket(`ws://127.0.0.1:${port}/?token=wrong`, 'vite-hmr', { headers })
  refused.on('error', () => {})
  const answer = await new Promise<IncomingMessage>((resolve) =>
    refused.once('unexpected-response', (_request, got) => resolve(got)),
  )
  expect(answer.statusCode).toBe(403)
  expect(answer.headers['x-why']).toBe('no token')
  let text = ''
  for await (const piece of answer) text += String(piece)
  expect(text).toBe('wrong')

  // A frame in the same write as the request: masked text "hi".
  const early = connect(port, '127.0.0.1')
  const head = `GET /?token=t HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nCookie: ${cookie}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`
  let got = ''
  early.on('data', (data) => (got += data.toString('latin1')))
  early.write(Buffer.concat([Buffer.from(head), Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69])]))
  await expect.poll(() => got).toContain('echo hi')
  early.destroy()
  sockets.close()
})

test('[PREV9] an event stream begins and goes on at once, and an upload arrives whole', async () => {
  const bytes = Buffer.alloc(5_000_000, 'upload ')
  const ends = Promise.withResolvers<void>()
  const server = await listening(
    createServer((incoming, outgoing) => void answer(incoming, outgoing)),
    '127.0.0.1',
  )
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (incoming.url === '/events') {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      outgoing.write('data: one\n\n')
      await ends.promise
      outgoing.end('data: two\n\n')
      return
    }
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece)
    outgoing.end(String(Buffer.concat(pieces).equals(bytes)))
  }
  const { port, origin, cookie } = await entered(server, {})
  const events = await begun({ port, origin, path: '/events', headers: { ...OF_PAGE, cookie } })
  const read = events[Symbol.asyncIterator]()
  expect(String((await read.next()).value)).toBe('data: one\n\n')
  ends.resolve()
  expect(String((await read.next()).value)).toBe('data: two\n\n')
  const { text } = await ask({
    port,
    origin,
    path: '/up',
    method: 'POST',
    headers: { ...OF_PAGE, cookie },
    body: bytes,
  })
  expect(text).toBe('true')
})

test('[PREV8] a page that opens a thousand sockets holds the number that one preview may have, and others go on', async () => {
  const server = await listening(
    createServer((_incoming, outgoing) => outgoing.end('here')),
    '127.0.0.1',
  )
  const sockets = new WebSocketServer({ server })
  const { previews, port, origin, id, cookie } = await entered(server, {})
  const { host } = new URL(origin)
  let open = 0
  let refused = 0
  const all = Array.from({ length: 1_000 }, () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host, origin, cookie } })
    socket.once('open', () => open++)
    socket.once('unexpected-response', () => refused++)
    socket.on('error', () => {})
    return socket
  })
  await expect.poll(() => open + refused).toBe(1_000)
  expect(open).toBe(256)
  expect((await ask({ port, origin, path: '/', headers: { ...VISIT, cookie } })).text).toContain('here')
  for (const socket of all) socket.terminate()
  await expect.poll(() => sockets.clients.size).toBe(0)
  expect(await cookieOf(previews, { id, port, origin })).not.toBe('')
  sockets.close()
})

test('[CLI31] a port at which nothing answers is not ready, and is as soon as something does, without a further start', async () => {
  const { previews } = await opened({})
  const server = createServer((_, answer) => answer.end('hello'))
  const listenAt = async (port: number) => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  const free = await listenAt(0)
  await new Promise((resolve) => server.close(resolve))
  const { preview } = await previews.make({
    userId: 'ada',
    workspaceId: undefined,
    conversationId: undefined,
    source: { type: 'port', port: free },
  })
  const now = () => previews.find('ada', preview.id)
  expect(preview).toMatchObject({ state: 'starting', problem: `Nothing answers at port ${free} yet` })
  await listenAt(free)
  await expect.poll(() => now()?.state).toBe('ready')
  expect(now()?.problem).toBeNull()
  await previews.stop(preview.id)
  expect(now()?.state).toBe('stopped')
  await new Promise((resolve) => server.close(resolve))
})

test('[PREV1] a port of Holdfast itself is no preview, and a port where nothing listens says so', async () => {
  const { previews, port } = await opened({ ownPorts: () => [4747] })
  const named = (wanted: number) =>
    previews.make({
      userId: 'ada',
      workspaceId: undefined,
      conversationId: undefined,
      source: { type: 'port', port: wanted },
    })
  await expect(named(4747)).rejects.toThrow("Port 4747 is Holdfast's own")
  const { preview } = await named(9)
  expect(preview).toMatchObject({ state: 'starting', problem: 'Nothing answers at port 9 yet' })
  const { id, origin } = preview
  const cookie = await cookieOf(previews, { id, port, origin })
  const page = await ask({ port, origin, path: '/', headers: { ...VISIT, cookie } })
  expect(page.status).toBe(502)
  expect(page.text).toContain('Nothing answers at port 9 yet')
})
