import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { connect as tcpConnect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Access, API_PATH, Problem, type Route, routes, SOCKET_PATH } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestServer } from '../src/testing.ts'
import { hostileRequests } from './support/hostile-requests.ts'
import { othersRecords } from './support/others-records.ts'
import { bodies } from './support/route-bodies.ts'
import { type Served, serve, TOKEN } from './support/serve.ts'

let served: Served
let webRoot: string
let storeCalls: string[] = []

beforeEach(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'holdfast-web-'))
  await mkdir(join(webRoot, 'assets'))
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>the page</title>')
  await writeFile(join(webRoot, 'assets', 'app.js'), 'export {}')
  served = await serve({ webRoot, onStoreCall: (name) => storeCalls.push(name) })
})

afterEach(async () => {
  await served.close()
  await rm(webRoot, { recursive: true })
})

/** A request whose headers are exactly these. */
function raw(path: string, headers: Record<string, string>, options: { method?: string; body?: string }) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(served.url)
    const sent = httpRequest({ hostname, port, path, method: options.method ?? 'GET', headers }, (answer) => {
      let text = ''
      answer.on('data', (piece) => {
        text += piece
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    sent.on('error', reject)
    sent.end(options.body)
  })
}

const bearer = { authorization: `Bearer ${TOKEN}` }
const json = { 'content-type': 'application/json' }

function addressOf({ path }: Route, id: string): string {
  return API_PATH + path.replace(':id', encodeURIComponent(id))
}

const table = Object.entries<Route>(routes).map(([name, route]): { name: string; route: Route; access: Access } => ({
  name,
  route,
  access: route.access,
}))

for (const { name, route } of table.filter(({ access }) => access !== 'anyone')) {
  test(`[SEC2] ${name} asks for the token`, async () => {
    const body = bodies[name] === undefined ? {} : { body: JSON.stringify(bodies[name]) }
    const answer = await raw(addressOf(route, 'x'), json, { method: route.method, ...body })
    expect(answer.status).toBe(401)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(Problem.parse(JSON.parse(answer.text))).toMatchObject({ code: 'unauthorized' })
  })
}

interface Seen {
  readonly status: number
  readonly body: unknown
  /** What of the store was used for the answer, in order. */
  readonly used: readonly string[]
}

async function asked(method: string, path: string, body: unknown): Promise<Seen> {
  storeCalls = []
  const answer = await served.call(method, path, body)
  return { ...answer, used: storeCalls }
}

/** Nobody can tell the two answers apart: not by their words, and not by what was done for them, which is what takes time. */
function expectSame(theirs: Seen, nobodys: Seen, [theirId, noId]: readonly [string, string]): void {
  expect(nobodys.status).toBe(theirs.status)
  expect(JSON.stringify(nobodys.body).replaceAll(noId, 'ID')).toBe(
    JSON.stringify(theirs.body).replaceAll(theirId, 'ID'),
  )
  expect(nobodys.used).toEqual(theirs.used)
}

for (const { name, route } of table.filter(({ access }) => access === 'owner')) {
  test(`[SEC1] ${name} does not know a conversation of another user`, async () => {
    const { conversationId } = await served.engine.createConversation({
      commandId: 'create_other',
      actor: { type: 'person', userId: 'someone' },
      ownerId: 'someone',
      title: null,
      modelId: null,
    })
    const theirs = await asked(route.method, addressOf(route, conversationId), bodies[name])
    const nobodys = await asked(route.method, addressOf(route, conversationId.replace(/.$/, '_')), bodies[name])
    expect(theirs).toMatchObject({ status: 404, body: { code: 'unknown-conversation' } })
    expectSame(theirs, nobodys, [conversationId, conversationId.replace(/.$/, '_')])
  })
}

/** Records that only accounts have: account-routes.test.ts tries those of another user. */
const NEEDS_ACCOUNTS: ReadonlySet<string> = new Set(['endSignIn', 'removeKey'])

for (const { name, route } of table.filter(({ name, access }) => access === 'record' && !NEEDS_ACCOUNTS.has(name))) {
  test(`[SEC1] ${name} does not know a record of another user`, async () => {
    const theirs = (await othersRecords[name]?.(served)) ?? `${name} has no record of another user in this test`
    const path = (id: string) => API_PATH + route.path.replace(/:\w+/, id)
    const answer = await asked(route.method, path(theirs), bodies[name])
    const nobodys = await asked(route.method, path('none'), bodies[name])
    expect(answer.status).toBe(404)
    expectSame(answer, nobodys, [theirs, 'none'])
    expect(othersRecords[name]).toBeDefined()
  })
}

/** Nothing of an unknown conversation runs, and nothing of another's is told: both are idle, and neither is an error. */
const idleWhenUnknown = ['resumeChatOfAiSdk']
/** Whoever signs may call: what is not there, and what is not signed, is tried in triggers-http.test.ts. */
const openToSigned: ReadonlySet<string> = new Set(['callHook'])

/** Of the installation: administrators see each, others those that they may use, and answers differ by person (WS6). */
const ofTheInstallation: ReadonlySet<string> = new Set([
  ...['readWorkspace', 'changeWorkspace', 'closeWorkspace', 'restoreWorktree', 'removeWorktree'],
  ...['readPreview', 'removePreview', 'startPreview', 'stopPreview', 'restartPreview', 'makePreviewTicket'],
  ...['claimPreviewDocument', 'photographPreview', 'readPreviewErrors', 'tellPreviewErrors', 'findPreviewSource'],
  ...['readTree', 'readMarks', 'readFile', 'saveFile', 'searchWorkspace', 'watchFiles'],
])

/** The id of an answer has that of its conversation in it. */
const ofResponses = ['readResponseOfOpenAi', 'cancelResponseOfOpenAi']

for (const { name, route } of table.filter((row) => ofResponses.includes(row.name))) {
  test(`[SEC1, SYNC18] ${name} does not know an answer of another user`, async () => {
    const { conversationId } = await served.engine.createConversation({
      commandId: 'create_other',
      actor: { type: 'person', userId: 'someone' },
      ownerId: 'someone',
      title: null,
      modelId: null,
    })
    const idOf = (id: string) => `resp_${Buffer.from(`${id}\n1`).toString('base64url')}`
    const [theirId, noId] = [idOf(conversationId), idOf(conversationId.replace(/.$/, '_'))]
    const at = (id: string) => API_PATH + route.path.replace(/:\w+/, id)
    const theirs = await asked(route.method, at(theirId), bodies[name])
    const nobodys = await asked(route.method, at(noId), bodies[name])
    expect(theirs).toMatchObject({ status: 404, body: { code: 'not-found', detail: expect.stringContaining(theirId) } })
    expectSame(theirs, nobodys, [theirId, noId])
  })
}

test('[SEC1] every address with a parameter stands in the table as owned, or tells nothing of what is not', async () => {
  const unowned = table.filter(
    ({ name, route, access }) =>
      !ofTheInstallation.has(name) &&
      !openToSigned.has(name) &&
      route.path.includes(':') &&
      access !== 'admin' &&
      access !== (route.path.includes('/:id') ? 'owner' : 'record'),
  )
  expect(unowned.map(({ name }) => name)).toEqual([...idleWhenUnknown, ...ofResponses])
  const { conversationId } = await served.engine.createConversation({
    commandId: 'create_other',
    actor: { type: 'person', userId: 'someone' },
    ownerId: 'someone',
    title: null,
    modelId: null,
  })
  for (const { route } of unowned.filter(({ name }) => idleWhenUnknown.includes(name))) {
    for (const id of [conversationId, 'conversation_none']) {
      const answer = await raw(addressOf(route, id), bearer, { method: route.method })
      expect(answer).toMatchObject({ status: 204, text: '' })
    }
  }
})

test('[SEC2] the link of the terminal becomes a cookie that no script can read, and leaves the address', async () => {
  for (const path of ['/', '/auth/token']) {
    const arrival = await raw(`${path}?token=${TOKEN}`, {}, {})
    expect(arrival.status).toBe(303)
    const pageKey = /^\/#page-key=([\w-]+)$/.exec(String(arrival.headers.location))?.[1] ?? ''
    const cookie = String(arrival.headers['set-cookie'])
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Strict/)
    expect(cookie).not.toContain(TOKEN)
    const [pair = ''] = cookie.split(';')
    const page = { cookie: pair, 'holdfast-page-key': pageKey }
    expect((await raw(`${API_PATH}/conversations`, page, {})).status).toBe(200)
  }
  expect((await raw('/?token=wrong', {}, {})).status).toBe(401)
})

test('[SEC2] the cookie changes nothing from another page', async () => {
  const arrival = await raw(`/?token=${TOKEN}`, {}, {})
  const cookie = String(arrival.headers['set-cookie']).split(';')[0] ?? ''
  const page = { cookie, 'holdfast-page-key': String(arrival.headers.location).split('=')[1] ?? '' }
  const body = JSON.stringify({ commandId: 'command_1' })
  const post = (headers: Record<string, string>) =>
    raw(`${API_PATH}/conversations`, { ...json, ...page, ...headers }, { method: 'POST', body })
  expect((await post({})).status).toBe(403)
  expect((await post({ origin: 'http://evil.example' })).status).toBe(403)
  expect((await post({ origin: 'null' })).status).toBe(403)
  expect((await post({ origin: `https://${served.host}` })).status).toBe(403)
  expect((await post({ origin: served.url })).status).toBe(201)
})

test('[SEC2] answers only to its own names', async () => {
  const { port } = new URL(served.url)
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1',
    `127.0.0.1:${Number(port) + 1}`,
    `127.0.0.1.nip.io:${port}`,
  ]) {
    expect(await raw('/', { host, ...bearer }, {})).toMatchObject({ status: 403 })
    expect(await raw(`${API_PATH}/auth/state`, { host }, {})).toMatchObject({ status: 403 })
  }
  for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
    expect(await raw(`${API_PATH}/auth/state`, { host }, {})).toMatchObject({ status: 200 })
  }
})

test('[SEC2] does not listen where other computers reach it', async () => {
  const { store, records, engine, bus } = served
  const server = await createTestServer({ engine, bus, store, records, token: TOKEN })
  await expect(server.listen({ host: '0.0.0.0', port: 0 })).rejects.toMatchObject({ code: 'public-address' })
  await server.close()
})

test('[PREV12] the document for generated pages has no origin, reaches nothing, and is framed by us alone', async () => {
  const { status, headers, text } = await raw('/generated-page', {}, {})
  expect(status).toBe(200)
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy).toContain('sandbox allow-scripts allow-forms allow-pointer-lock')
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "form-action 'none'", "frame-ancestors 'self'"]))
  expect(policy.join()).not.toMatch(/allow-same-origin|allow-popups|allow-top|allow-modals|allow-downloads|https?:|\*/)
  expect(headers).toMatchObject({ 'connection-allowlist': '()', 'x-frame-options': 'SAMEORIGIN' })
  expect(text).not.toContain(TOKEN)
  const around = (await raw('/', {}, {})).headers
  expect(around['content-security-policy']).toContain("frame-src 'self'")
})

test('[SEC3] every answer forbids scripts, frames and loads from elsewhere', async () => {
  for (const path of ['/', '/assets/app.js', `${API_PATH}/health`, `${API_PATH}/none`]) {
    const { headers } = await raw(path, bearer, {})
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
})

test('[SEC3] serves the page for every address of it, and only its own files', async () => {
  for (const path of ['/', '/c/conversation_1']) expect((await raw(path, {}, {})).text).toContain('the page')
  expect((await raw('/assets/app.js', {}, {})).status).toBe(200)
  for (const path of [
    '/assets/none.js',
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
    '/../../etc/passwd',
    '/.env',
  ]) {
    expect((await raw(path, {}, {})).status).toBe(404)
  }
})

test('[STOP1] a turn over HTTP: made, sent, stopped, read', async () => {
  const made = await served.call('POST', `${API_PATH}/conversations`, { commandId: 'command_1', title: 'Over HTTP' })
  expect(made).toMatchObject({ status: 201, body: { title: 'Over HTTP', state: 'idle', head: 2 } })
  const again = await served.call('POST', `${API_PATH}/conversations`, { commandId: 'command_1', title: 'Over HTTP' })
  expect(again.body).toEqual(made.body)
  const { id } = made.body as { id: string }
  const nothing = await served.call('POST', `${API_PATH}/conversations/${id}/stop`, { commandId: 'command_2' })
  expect(nothing).toEqual({ status: 200, body: { runId: null, accepted: false, settled: true } })
  const sent = await served.call('POST', `${API_PATH}/conversations/${id}/inputs`, {
    commandId: 'command_3',
    content: [{ type: 'text', text: 'hello' }],
    lane: 'turn',
  })
  expect(sent).toMatchObject({ status: 202, body: { seq: 3, inputId: expect.stringMatching(/^input_/) } })
  await served.model.asked()
  served.model.say('kept')
  const stopped = await served.call('POST', `${API_PATH}/conversations/${id}/stop`, { commandId: 'command_4' })
  expect(stopped).toMatchObject({ status: 202, body: { runId: expect.stringMatching(/^run_/), accepted: true } })
  await served.engine.close()
  const { body: transcript } = await served.call('GET', `${API_PATH}/conversations/${id}/transcript`)
  expect(transcript).toMatchObject({
    items: [
      { role: 'title', notSent: true },
      { role: 'user', parts: [{ type: 'text', text: 'hello' }] },
      { role: 'assistant', state: 'stopped' },
    ],
  })
  const { body: page } = await served.call('GET', `${API_PATH}/conversations/${id}/entries?after=0&limit=3`)
  expect(page).toMatchObject({ entries: [{ seq: 1 }, { seq: 2 }, { seq: 3, type: 'input-admitted' }] })
  const { body: list } = await served.call('GET', `${API_PATH}/conversations?limit=1`)
  expect(list).toMatchObject({ conversations: [{ id }], next: expect.any(String) })
  const next = encodeURIComponent((list as { next: string }).next)
  expect((await served.call('GET', `${API_PATH}/conversations?limit=1&before=${next}`)).body).toEqual({
    conversations: [],
    next: null,
  })
})

test('[SYNC1] an event stream gives entries, then the draft, then deltas, and goes on after Last-Event-ID', async () => {
  const id = await served.newConversation()
  await served.call('POST', `${API_PATH}/conversations/${id}/inputs`, {
    commandId: 'command_1',
    content: [{ type: 'text', text: 'hello' }],
  })
  await served.model.asked()
  served.model.say('one ')
  const stream = await openEvents(id, {})
  expect((await stream.next('entry')).id).toBe('1')
  expect((await stream.next('draft')).data).toMatchObject({ offset: 4 })
  await stream.next('caught-up')
  served.model.say('two')
  expect((await stream.next('delta')).data).toMatchObject({ block: 0, offset: 4, text: 'two' })
  served.model.end()
  let last = await stream.next('entry')
  while ((last.data as { type: string }).type !== 'run-finished') last = await stream.next('entry')
  stream.close()
  const resumed = await openEvents(id, { 'last-event-id': String(Number(last.id) - 1) })
  expect((await resumed.next('entry')).id).toBe(last.id)
  resumed.close()
  expect(
    await raw(`${API_PATH}/conversations/${id}/entries?live=sse`, { ...bearer, 'last-event-id': 'x' }, {}),
  ).toMatchObject({ status: 400 })
})

async function openEvents(id: string, headers: Record<string, string>) {
  const ended = new AbortController()
  const answer = await fetch(`${served.url}${API_PATH}/conversations/${id}/entries?live=sse`, {
    headers: { ...bearer, ...headers },
    signal: ended.signal,
  })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function event() {
    while (!text.includes('\n\n')) text += (await reader?.read())?.value ?? ''
    const end = text.indexOf('\n\n')
    const fields = Object.fromEntries(
      text
        .slice(0, end)
        .split('\n')
        .map((line) => line.split(/: (.*)/s).slice(0, 2)),
    )
    text = text.slice(end + 2)
    return { id: fields.id as string, event: fields.event as string, data: JSON.parse(fields.data) as unknown }
  }
  return {
    async next(kind: string) {
      for (;;) {
        const read = await event()
        if (read.event === kind) return read
      }
    },
    close: () => ended.abort(),
  }
}

for (const [what, path, headers, options, status] of hostileRequests) {
  test(`[SEC5] answers ${what} with a problem and goes on serving`, async () => {
    const answer = await raw(API_PATH + path, { ...bearer, ...headers }, options)
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(Problem.parse(JSON.parse(answer.text)).status).toBe(status)
    expect((await raw(`${API_PATH}/health`, {}, {})).status).toBe(200)
  })
}

test('[SEC5] outlives lines that are no HTTP at all', async () => {
  const { port } = new URL(served.url)
  for (const bytes of [
    '\0\0\0\0',
    'GET / HTTP/9.9\r\n\r\n',
    `GET ${SOCKET_PATH} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
  ]) {
    await new Promise<void>((resolve) => {
      const line = tcpConnect(Number(port), '127.0.0.1', () => line.end(bytes))
      line.on('close', () => resolve())
      line.on('error', () => resolve())
      line.resume()
    })
  }
  expect((await raw(`${API_PATH}/ready`, {}, {})).status).toBe(200)
})

test('[LOG8] says that the store refused, and does not say that it was done', async () => {
  const id = await served.newConversation()
  await served.store.close()
  const sent = await served.call('POST', `${API_PATH}/conversations/${id}/inputs`, {
    commandId: 'command_1',
    content: [{ type: 'text', text: 'hello' }],
  })
  expect(sent).toMatchObject({ status: 503, body: { code: expect.stringMatching(/^store-/) } })
  expect((await served.call('GET', `${API_PATH}/ready`)).status).toBe(503)
  expect(await served.call('GET', `${API_PATH}/health`)).toMatchObject({ status: 200, body: { store: 'failing' } })
})
