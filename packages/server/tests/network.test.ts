import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { API_PATH, SOCKET_PATH } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { Network } from '../src/door/network.ts'
import { PASSWORD, setUp } from './support/people.ts'
import { type Served, type ServeOptions, serve, TOKEN } from './support/serve.ts'

let served: Served | null = null
let webRoot: string

beforeEach(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'holdfast-network-'))
  await mkdir(join(webRoot, 'assets'))
  await writeFile(join(webRoot, 'index.html'), '<head></head><script src="/assets/app.js"></script>')
  await writeFile(join(webRoot, 'assets', 'app.js'), 'export {}')
})

afterEach(async () => {
  await served?.close()
  served = null
  await rm(webRoot, { recursive: true })
})

const BEHIND_PROXY: Network = {
  publicUrl: new URL('https://holdfast.example.org/x'),
  basePath: '/x',
  allowedHosts: ['holdfast.lan'],
  trustedProxies: ['127.0.0.1'],
}

async function started(options: Partial<ServeOptions>): Promise<Served> {
  served = await serve({ webRoot, ...options })
  return served
}

/** A request whose headers are exactly these. */
function raw(
  [method, path]: readonly [string, string],
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(served?.url ?? '')
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = httpRequest({ hostname, port, path, method, headers: { ...headers, ...type } }, (answer) => {
      let text = ''
      answer.on('data', (piece) => {
        text += piece
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const bearer = { authorization: `Bearer ${TOKEN}` }
const LIST = ['GET', `${API_PATH}/conversations`] as const

test('[SEC2] answers to the names that it was given, and to no other', async () => {
  const { host } = await started({ network: BEHIND_PROXY })
  const port = host.split(':')[1] ?? ''
  for (const name of [host, 'holdfast.lan', `holdfast.lan:${port}`, 'HOLDFAST.LAN', 'holdfast.example.org'])
    expect(await raw(LIST, { ...bearer, host: name })).toMatchObject({ status: 200 })
  const wrong = ['holdfast.lan:1', 'holdfast.lan.', 'evil.example.org', 'holdfast.example.org.evil', 'xholdfast.lan']
  for (const name of wrong) expect(await raw(LIST, { ...bearer, host: name }), name).toMatchObject({ status: 403 })
})

test('[SEC2] the origin is the very page, with its scheme', async () => {
  await started({ network: BEHIND_PROXY })
  const host = 'holdfast.example.org'
  const from = (origin: string) => raw(LIST, { ...bearer, host, origin })
  expect(await from('https://holdfast.example.org')).toMatchObject({ status: 200 })
  const others = [
    'http://holdfast.example.org',
    'https://holdfast.example.org:8443',
    'https://holdfast.example.org.',
    'https://evil.holdfast.example.org',
    'https://holdfast.example.org.evil.com',
    'https://HOLDFAST.example.org',
    'https://holdfast.lan',
    'null',
    '',
  ]
  for (const origin of others) expect(await from(origin), origin).toMatchObject({ status: 403 })
})

test('[SEC2] stands under its base path, whether the proxy leaves it on or takes it off', async () => {
  await started({ network: BEHIND_PROXY })
  const host = 'holdfast.example.org'
  for (const base of ['', '/x']) {
    expect(await raw(['GET', `${base}${LIST[1]}`], { ...bearer, host })).toMatchObject({ status: 200 })
    expect(await raw(['GET', `${base}/assets/app.js`], { host })).toMatchObject({ status: 200, text: 'export {}' })
    const { text } = await raw(['GET', `${base}/c/1`], { host })
    expect(text).toBe('<head><meta name="holdfast-base" content="/x"></head><script src="/x/assets/app.js"></script>')
  }
  expect(await raw(['GET', '/xy/c/1'], { host })).toMatchObject({ status: 404 })
  const link = await raw(['GET', `/x/?token=${TOKEN}`], { host })
  expect(link.headers).toMatchObject({ location: expect.stringMatching(/^\/x\/#page-key=[\w-]+$/) })
  expect(String(link.headers['set-cookie'])).toMatch(/Path=\/x;.*HttpOnly;.*Secure;.*SameSite=Strict/)
  expect(link.headers['strict-transport-security']).toBeDefined()
})

test('[SEC2] the cookies of accounts keep to the base path and to HTTPS, and open the socket there', async () => {
  const { accounts, url } = await started({ network: BEHIND_PROXY, withAccounts: true })
  const page = { host: 'holdfast.example.org', origin: 'https://holdfast.example.org' }
  const body = { token: accounts?.setupToken(), name: 'Ada', email: 'ada@example.org', password: PASSWORD }
  const made = await raw(['POST', `/x${API_PATH}/auth/setup`], page, body)
  const set = String(made.headers['set-cookie'])
  expect(made.status).toBe(201)
  expect(set).toContain('Secure')
  const entered = { cookie: set.split(';')[0] ?? '', 'holdfast-page-key': JSON.parse(made.text).pageKey }
  const opens = (headers: Readonly<Record<string, string>>) =>
    new Promise<boolean>((resolve) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/x${SOCKET_PATH}`, { headers })
      const done = (opened: boolean) => () => {
        socket
          .removeAllListeners()
          .on('error', () => {})
          .terminate()
        resolve(opened)
      }
      socket.on('open', done(true)).on('error', done(false))
    })
  expect(await opens({ ...page, ...entered })).toBe(true)
  expect(await opens({ ...page, ...entered, origin: 'https://evil.example.org' })).toBe(false)
  expect(await opens({ host: page.host, ...entered })).toBe(false)
})

test('[SEC2] believes what a proxy says of the client only from a set address', async () => {
  for (const [trustedProxies, seen] of [
    [['127.0.0.1'], '203.0.113.9'],
    [['10.0.0.0/8'], '127.0.0.1'],
    [[], '127.0.0.1'],
  ] as const) {
    const one = await started({ network: { ...BEHIND_PROXY, trustedProxies }, withAccounts: true })
    const page = {
      host: 'holdfast.example.org',
      origin: 'https://holdfast.example.org',
      'x-forwarded-for': '203.0.113.9',
    }
    const body = { token: one.accounts?.setupToken(), name: 'Ada', email: 'ada@example.org', password: PASSWORD }
    const made = await raw(['POST', `${API_PATH}/auth/setup`], page, body)
    const cookie = String(made.headers['set-cookie']).split(';')[0] ?? ''
    const entered = { ...page, cookie, 'holdfast-page-key': JSON.parse(made.text).pageKey }
    const { text } = await raw(['GET', `${API_PATH}/auth/sessions`], entered)
    expect(JSON.parse(text)).toMatchObject({ sessions: [{ address: seen }] })
    await one.close()
    served = null
  }
})

test('[SEC2, SYNC19] a tool of MCP asks behind a proxy as the request that called it, with its address, names and path', async () => {
  await started({ network: BEHIND_PROXY })
  const call = { name: 'list_conversations', arguments: {} }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
  const page = { host: 'holdfast.example.org', accept: 'application/json, text/event-stream' }
  const proxied = { ...bearer, ...page, 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
  for (const path of [`/x${API_PATH}`, API_PATH]) {
    const { status, text } = await raw(['POST', `${path}/interop/mcp`], proxied, message)
    expect([status, text.includes('"conversations":[]')], text).toEqual([200, true])
  }
  const evil = await raw(['POST', `${API_PATH}/interop/mcp`], { ...proxied, host: 'evil.example.org' }, message)
  expect(evil.status).toBe(403)
})

test('[SEC2] listens where others reach it only with accounts', async () => {
  await expect(serve({ webRoot: null, listenHost: '0.0.0.0' })).rejects.toMatchObject({ code: 'public-address' })
  const { url } = await started({ withAccounts: true, listenHost: '0.0.0.0' })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/)
  expect((await raw(LIST, { host: new URL(url).host })).status).toBe(401)
  expect((await raw(LIST, { host: '192.168.1.7' })).status).toBe(403)
})

test('[SEC5] tries of passwords are few, requests many, and the page’s own files have no limit', async () => {
  const window = { windowMs: 60_000 }
  const rateLimits = { api: { max: 20, ...window }, signIn: { max: 4, ...window }, account: { max: 3, ...window } }
  const { host } = await started({ withAccounts: true, rateLimits })
  const admin = await setUp(served ?? (await started({})))
  const page = { host, origin: `http://${host}` }
  const tries: number[] = []
  for (const [index, email] of ['ada@example.org', 'ADA@example.org', 'ada@example.org', 'bob@example.org'].entries()) {
    const answer = await raw(['POST', `${API_PATH}/auth/sign-in/email`], page, {
      email,
      password: `guess number ${index}`,
    })
    tries.push(answer.status)
  }
  // The set-up was the first of four; the fifth is one too many.
  expect(tries).toEqual([401, 401, 401, 429])
  const answers: number[] = []
  for (let count = 0; count < 25; count += 1) answers.push((await raw(LIST, { ...page, ...admin })).status)
  expect(answers.filter((status) => status === 200).length).toBe(20)
  const limited = await raw(LIST, { ...page, ...admin })
  expect(JSON.parse(limited.text)).toMatchObject({ status: 429, code: 'too-many-requests' })
  for (let count = 0; count < 40; count += 1) expect((await raw(['GET', '/assets/app.js'], { host })).status).toBe(200)
})

test('[SEC5] an account is tried only so often, from wherever', async () => {
  const many = { max: 1_000, windowMs: 60_000 }
  const rateLimits = { api: many, signIn: many, account: { max: 3, windowMs: 60_000 } }
  const { host } = await started({ withAccounts: true, rateLimits, network: { ...BEHIND_PROXY, publicUrl: null } })
  const statuses: number[] = []
  for (let count = 0; count < 4; count += 1) {
    const from = { host, origin: `http://${host}`, 'x-forwarded-for': `203.0.113.${count}` }
    const body = { email: 'ada@example.org', password: 'a guess' }
    statuses.push((await raw(['POST', `${API_PATH}/auth/sign-in/email`], from, body)).status)
  }
  expect(statuses).toEqual([401, 401, 401, 429])
})
