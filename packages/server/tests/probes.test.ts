import { once } from 'node:events'
import { connect } from 'node:net'
import { StoreReadError, StoreWriteError } from '@holdfast/conversation'
import { API_PATH } from '@holdfast/protocol'
import { createMemoryStore } from '@holdfast/store/memory'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PASSWORD, setUp } from './support/people.ts'
import { realClock } from './support/real-ports.ts'
import { type Served, serve } from './support/serve.ts'

const ADDRESS = '127.0.0.1:25416'

/** How the database is: it answers, cannot be reached, or says nothing. */
let state: 'there' | 'away' | 'silent' = 'there'
let calls = 0
/** The time of the rate limits; what waits, waits by the machine's. */
let monotonicMs = 0
let served: Served

/** The same part of a store, as the database is. */
function asItIs<Part extends object>(part: Part): Part {
  return new Proxy(part, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        calls += 1
        if (state === 'silent') return new Promise(() => {})
        if (state === 'there') return Reflect.apply(value, target, given)
        const Failure = name === 'put' ? StoreWriteError.bind(null, 'unreachable') : StoreReadError
        return Promise.reject(new Failure(`PostgreSQL at ${ADDRESS} cannot be reached`))
      }
    },
  })
}

beforeEach(async () => {
  state = 'there'
  const clock = { ...realClock, monotonicMs: () => monotonicMs }
  const { store, records, replicas } = createMemoryStore({ clock })
  await replicas.beat({ replicaId: 'one', host: 'm', pid: 7, version: '1', url: null, ttlMs: 3_600_000 })
  served = await serve({
    webRoot: null,
    withAccounts: true,
    clock,
    replicas: asItIs(replicas),
    rateLimits: { signIn: MANY, account: MANY, api: { max: 20, windowMs: 60_000 } },
    openStore: async () => ({ store, records: asItIs(records) }),
    throughStore: (given) => ({ ...given, listConversations: asItIs(given).listConversations }),
  })
})

afterEach(async () => {
  state = 'there'
  await served.close()
})

const MANY = { max: 1_000, windowMs: 60_000 }

async function probe(path: '/health' | '/ready'): Promise<{ readonly status: number; readonly store: unknown }> {
  const answer = await fetch(served.url + API_PATH + path)
  return { status: answer.status, store: (await answer.json()).store }
}

/** Sends bytes as a balancer does, and reads the first line of the answer. */
async function firstLine(bytes: string): Promise<string> {
  const line = connect(Number(new URL(served.url).port), '127.0.0.1')
  line.end(bytes)
  const [piece] = await once(line, 'data')
  line.destroy()
  return String(piece).split('\r\n')[0] ?? ''
}

test('[SCALE31] a balancer that names no host, or any, is told whether the server lives and is ready; nobody else is', async () => {
  for (const path of ['/health', '/ready']) {
    expect(await firstLine(`GET ${API_PATH}${path} HTTP/1.0\r\n\r\n`)).toContain(' 200 ')
    expect(await firstLine(`HEAD ${API_PATH}${path} HTTP/1.1\r\nhost: 10.0.0.7:4747\r\n\r\n`)).toContain(' 200 ')
  }
  for (const path of ['/', `${API_PATH}/auth/state`, `${API_PATH}/health/`, `${API_PATH}/conversations`])
    expect(await firstLine(`GET ${path} HTTP/1.0\r\n\r\n`), path).toContain(' 403 ')
})

test('[SCALE31] whether the server lives is said without the database, also long after that is gone; it is not ready', async () => {
  await setUp(served)
  for (const gone of ['away', 'silent'] as const) {
    state = gone
    monotonicMs += 60_000
    calls = 0
    for (let ask = 0; ask < 3; ask += 1) expect((await probe('/health')).status).toBe(200)
    expect(calls).toBe(0)
    const asked = await Promise.all([probe('/ready'), probe('/ready'), probe('/ready')])
    expect(asked.map(({ status }) => status)).toEqual([503, 503, 503])
    if (gone === 'silent') expect(calls).toBe(1)
    expect(await probe('/health')).toEqual({ status: 200, store: 'failing' })
    // It is no fault of which the log has a line for each balancer and second.
    expect(served.logged.filter((line) => line.includes('a request failed'))).toEqual([])
  }
})

test('[SCALE31] requests are limited by the count of servers that was known last where the database cannot be asked', async () => {
  const ask = async () => (await fetch(`${served.url}${API_PATH}/auth/me`)).status
  expect(await ask()).toBe(401)
  state = 'away'
  monotonicMs += 6_000
  const answers: number[] = []
  for (let count = 0; count < 22; count += 1) answers.push(await ask())
  expect(answers.filter((status) => status === 503)).toHaveLength(19)
  expect(answers.filter((status) => status === 429)).toHaveLength(3)
})

test('[SCALE31] who asks whether it lives is not counted among the requests of an address', async () => {
  for (let ask = 0; ask < 30; ask += 1) expect((await probe('/health')).status).toBe(200)
  for (let ask = 0; ask < 30; ask += 1) expect((await probe('/ready')).status).toBe(200)
})

test('[SCALE31] where the database is, is told to nobody who is not known', async () => {
  const ada = await setUp(served)
  state = 'away'
  const signIn = { email: 'ada@example.org', password: PASSWORD }
  const told: string[] = []
  for (const [path, init] of [
    ['/health', {}],
    ['/ready', {}],
    ['/auth/state', {}],
    ['/conversations', {}],
    ['/conversations', { headers: { ...ada, origin: served.url } }],
    [
      '/auth/sign-in/email',
      { method: 'POST', body: JSON.stringify(signIn), headers: { 'content-type': 'application/json' } },
    ],
  ] as const) {
    const answer = await fetch(served.url + API_PATH + path, init)
    told.push(await answer.text())
  }
  expect(told.join('\n')).not.toContain(ADDRESS)
  expect(told.filter((text) => text.includes('"code":"store-read-failed"')).length).toBeGreaterThan(2)
  expect(served.logged.join()).toContain('a request failed')
})
