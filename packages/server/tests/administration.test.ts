import { DamagedLogError, type Entry, type EntryStore, type NewEntry, noTotals } from '@holdfast/conversation'
import { conversationCreated, inputAdmitted, runStarted, usageRecorded } from '@holdfast/conversation/testing'
import { AuditAnswer, PersonRow, ServerHealth } from '@holdfast/protocol'
import { createMemoryStore } from '@holdfast/store/memory'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod'
import { measureLoopLag } from '../src/parts/loop-lag.ts'
import { createMetrics } from '../src/parts/metrics.ts'
import { readAudit } from '../src/routes/reading/read-audit.ts'
import { addUser, type Credentials, makeKey, PASSWORD, send, setUp, signIn } from './support/people.ts'
import { realClock } from './support/real-ports.ts'
import { type Served, serve } from './support/serve.ts'

const People = z.object({ people: z.array(PersonRow) })
const Sessions = z.object({ sessions: z.array(z.object({ id: z.string(), isCurrent: z.boolean() })) })

const open: Served[] = []

afterEach(async () => {
  for (const served of open.splice(0)) await served.close()
})

async function served(options: Omit<Parameters<typeof serve>[0], 'webRoot'>): Promise<Served> {
  const started = await serve({ webRoot: null, ...options })
  open.push(started)
  return started
}

/** Ada, who is the admin, and Grace, who is not. */
async function twoPeople(options: Omit<Parameters<typeof serve>[0], 'webRoot'> = {}) {
  const started = await served({ withAccounts: true, ...options })
  const ada = await setUp(started)
  const grace = await addUser(started, ada, { email: 'grace@example.org', role: 'user' })
  const idOf = async (as: Credentials) =>
    z.object({ userId: z.string() }).parse((await send(started, ['GET', '/auth/me'], { as })).body).userId
  return { started, ada, grace, adaId: await idOf(ada), graceId: await idOf(grace) }
}

const PATHS = ['/people', '/people/local/sessions', '/audit', '/health'].map((path) => `/administration${path}`)

test('[SCALE18, SCALE19, SCALE20] only administrators look at the administration, and ended sessions are theirs to end alone', async () => {
  const { started, ada, grace } = await twoPeople()
  const { bearer } = await makeKey(started, ada, ['read', 'chat', 'tools'])
  for (const path of PATHS) {
    expect((await send(started, ['GET', path], { as: grace })).status, path).toBe(403)
    expect((await send(started, ['GET', path], { as: bearer })).status, path).toBe(403)
    expect((await send(started, ['GET', path], { as: ada })).status, path).toBe(200)
  }
  expect((await send(started, ['DELETE', '/administration/people/local/sessions/x'], { as: grace })).status).toBe(403)
})

test('[SCALE18, SCALE19, SCALE20] without accounts there is nobody to administer, in clear words', async () => {
  const { call } = await served({})
  for (const path of PATHS)
    expect(await call('GET', `/api/v1${path}`), path).toMatchObject({
      status: 409,
      body: { code: 'no-accounts', detail: expect.stringContaining('start with --auth accounts') },
    })
})

async function* bytes(sizeBytes: number): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(sizeBytes)
}

test('[SCALE18] each person has their sessions, storage, and what they spent today and this month', async () => {
  const noon = Date.UTC(2026, 10, 22, 12)
  let asked = 0
  const clock = {
    ...realClock,
    now() {
      asked += 1
      return noon + asked
    },
  }
  const { started, ada, adaId, graceId } = await twoPeople({ clock })
  const spent = (costUsd: number): NewEntry => ({ ...usageRecorded('run', 'step', { input: 1, output: 1 }), costUsd })
  const days = [noon, Date.UTC(2026, 10, 3), Date.UTC(2026, 9, 30)]
  for (const [number, at] of days.entries())
    await started.store.append({
      conversationId: `c${number}`,
      after: 0,
      at,
      entries: [conversationCreated(graceId), spent(10 ** number)],
    })
  await started.store.putBlob({
    uploadId: 'upload',
    ownerId: graceId,
    conversationId: null,
    mediaType: 'text/plain',
    at: noon,
    content: bytes(1_234),
  })
  await signIn(started, 'grace@example.org')
  const { people } = People.parse((await send(started, ['GET', '/administration/people'], { as: ada })).body)
  expect(people).toMatchObject([
    { account: { id: adaId, role: 'admin' }, sessionCount: 1, storedBytes: 0, spentTodayUsd: 0, spentThisMonthUsd: 0 },
    {
      account: { id: graceId, role: 'user' },
      sessionCount: 2,
      storedBytes: 1_234,
      spentTodayUsd: 1,
      spentThisMonthUsd: 11,
    },
  ])
  for (const { lastSeenAt } of people) expect(lastSeenAt).toBeGreaterThanOrEqual(noon)
})

test('[SCALE18] an administrator ends a session of somebody, who is signed out at once; nobody else is', async () => {
  const { started, ada, grace, graceId } = await twoPeople()
  const other = await signIn(started, 'grace@example.org')
  const list = async () =>
    Sessions.parse((await send(started, ['GET', `/administration/people/${graceId}/sessions`], { as: ada })).body)
      .sessions
  const [first, second] = await list()
  expect([first, second].map((session) => session?.isCurrent)).toEqual([false, false])
  const end = (userId: string, sessionId: string) =>
    send(started, ['DELETE', `/administration/people/${userId}/sessions/${sessionId}`], { as: ada })
  expect(await end('local', first?.id ?? '')).toMatchObject({ status: 404, body: { code: 'unknown-session' } })
  expect(await end('nobody', first?.id ?? '')).toMatchObject({ status: 404, body: { code: 'unknown-user' } })
  expect((await end(graceId, first?.id ?? '')).status).toBe(200)
  const statuses = await Promise.all(
    [grace, other, ada].map(async (as) => (await send(started, ['GET', '/auth/me'], { as })).status),
  )
  expect(statuses.toSorted()).toEqual([200, 200, 401])
  expect(statuses[2]).toBe(200)
  expect((await list()).map(({ id }) => id)).toEqual([second?.id])
  const back = { email: 'grace@example.org', password: PASSWORD }
  expect((await send(started, ['POST', '/auth/sign-in/email'], { as: {}, body: back })).status).toBe(200)
})

const person = (userId: string) => ({ type: 'person', userId }) as const

/** A request for permission, as the engine writes it. */
function requested(requestId: string, tool: string): NewEntry {
  const call = { callId: requestId, tool, input: { path: 'a secret of the owner' }, reason: 'asks', source: 'default' }
  return {
    type: 'permission-requested',
    actor: { type: 'engine' },
    runId: 'run',
    stepId: 'step',
    requestId,
    userId: 'u',
    ...call,
  }
}

function settled(requestId: string, outcome: 'allowed' | 'denied', userId: string): NewEntry {
  return { type: 'permission-settled', actor: person(userId), requestId, outcome, by: 'person', scope: 'call' }
}

function title(text: string): NewEntry {
  return { type: 'title-changed', actor: { type: 'engine' }, title: text, source: 'auto' }
}

interface Written {
  readonly conversationId: string
  readonly ownerId: string
  readonly at: number
  readonly entries: readonly NewEntry[]
}

async function write(store: EntryStore, { conversationId, ownerId, at, entries }: Written): Promise<readonly Entry[]> {
  await store.append({ conversationId, after: 0, at, entries: [conversationCreated(ownerId), ...entries] })
  return (await store.read({ conversationId, after: 0, limit: 1_000 })).entries
}

/** All pages, each as its rows in short. */
async function pagesOf(store: EntryStore, { ownerIds, limit }: { ownerIds: readonly string[]; limit: number }) {
  const pages: string[][] = []
  for (let before: string | null = null; ; ) {
    const page: AuditAnswer = await readAudit(store, { ownerIds, before, limit })
    pages.push(page.rows.map(({ conversationId, tool, outcome }) => `${conversationId} ${tool} ${outcome}`))
    if (page.next === null) return pages
    before = page.next
  }
}

test('[SCALE19] the audit says who allowed which tool in whose conversation, and nothing of what the call was to do', async () => {
  const { started, ada, adaId, graceId } = await twoPeople()
  await write(started.store, {
    conversationId: 'hers',
    ownerId: graceId,
    at: 2_000,
    entries: [requested('r1', 'write_file'), settled('r1', 'allowed', graceId), requested('r2', 'bash')],
  })
  await write(started.store, {
    conversationId: 'mine',
    ownerId: adaId,
    at: 1_000,
    entries: [
      requested('r3', 'fetch'),
      { type: 'permission-settled', actor: { type: 'engine' }, requestId: 'r3', outcome: 'cancelled', by: 'stop' },
    ],
  })
  const { body, status } = await send(started, ['GET', '/administration/audit'], { as: ada })
  expect(status).toBe(200)
  expect(JSON.stringify(body)).not.toContain('secret')
  expect(AuditAnswer.parse(body)).toEqual({
    rows: [
      {
        conversationId: 'hers',
        ownerId: graceId,
        seq: 3,
        at: 2_000,
        tool: 'write_file',
        outcome: 'allowed',
        by: 'person',
        scope: 'call',
        userId: graceId,
      },
      {
        conversationId: 'mine',
        ownerId: adaId,
        seq: 3,
        at: 1_000,
        tool: 'fetch',
        outcome: 'cancelled',
        by: 'stop',
        scope: null,
        userId: null,
      },
    ],
    damagedIds: [],
    next: null,
  })
  expect((await send(started, ['GET', '/administration/audit?before=here'], { as: ada })).status).toBe(400)
})

test('[SCALE19] pages of the audit follow each other through conversations of all owners, archived ones too, without a gap', async () => {
  const { store } = createMemoryStore({ clock: realClock })
  const archived: NewEntry = {
    type: 'conversation-archived',
    actor: { type: 'engine' },
    reason: 'person',
    totals: noTotals,
  }
  const both = (id: string) => [
    requested(`${id}1`, 'first'),
    settled(`${id}1`, 'allowed', 'ada'),
    requested(`${id}2`, 'second'),
    settled(`${id}2`, 'denied', 'ada'),
  ]
  await write(store, { conversationId: 'a', ownerId: 'ada', at: 3_000, entries: both('a') })
  await write(store, { conversationId: 'b', ownerId: 'grace', at: 4_000, entries: [...both('b'), title('t')] })
  await write(store, { conversationId: 'c', ownerId: 'grace', at: 3_000, entries: [...both('c'), archived] })
  await write(store, { conversationId: 'd', ownerId: 'eve', at: 9_000, entries: both('d') })
  const all = ['b', 'c', 'a'].flatMap((id) => [`${id} second denied`, `${id} first allowed`])
  for (const limit of [1, 2, 3, 4, 50]) {
    const pages = await pagesOf(store, { ownerIds: ['ada', 'grace'], limit })
    expect(pages.flat(), String(limit)).toEqual(all)
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit)
  }
  await store.close()
})

test('[SCALE19] a page reads a bounded part of the logs, also where it finds nothing, and finds the tool of a request far before its answer', async () => {
  const { store } = createMemoryStore({ clock: realClock })
  const titles = Array.from({ length: 999 }, (_, number) => title(`title ${number}`))
  await write(store, { conversationId: 'long', ownerId: 'ada', at: 5_000, entries: [] })
  for (let count = 0; count < 40; count += 1) {
    const { head } = await store.read({ conversationId: 'long', after: 0, limit: 1 })
    // The twenty pages that a page of the audit reads end between the two.
    const asked = count === 16 ? [requested('r1', 'look')] : []
    const answer = count === 20 ? [settled('r1', 'allowed', 'ada')] : []
    await store.append({
      conversationId: 'long',
      after: head,
      at: 6_000 + count,
      entries: [...titles, ...asked, ...answer],
    })
  }
  let read = 0
  const counting = {
    listConversations: store.listConversations,
    readListing: store.readListing,
    async read(query: Parameters<EntryStore['read']>[0]) {
      const page = await store.read(query)
      read += page.entries.length
      return page
    },
  }
  const pages: AuditAnswer[] = []
  for (let before: string | null = null; ; ) {
    read = 0
    const page: AuditAnswer = await readAudit(counting, { ownerIds: ['ada'], before, limit: 50 })
    expect(read).toBeLessThanOrEqual(26_000)
    pages.push(page)
    if (page.next === null) break
    before = page.next
  }
  expect(pages.length).toBeGreaterThanOrEqual(2)
  expect(pages.at(-1)?.rows).toEqual([])
  expect(pages.flatMap(({ rows }) => rows)).toMatchObject([{ conversationId: 'long', tool: 'look', userId: 'ada' }])
  await store.close()
})

test('[SCALE19] a page ends after so many conversations that hold nothing, and the next goes on', async () => {
  const { store } = createMemoryStore({ clock: realClock })
  for (let number = 0; number < 600; number += 1)
    await write(store, { conversationId: `c${number}`, ownerId: 'ada', at: 1_000, entries: [] })
  await write(store, {
    conversationId: 'a',
    ownerId: 'ada',
    at: 1,
    entries: [requested('r', 'look'), settled('r', 'denied', 'ada')],
  })
  expect(await pagesOf(store, { ownerIds: ['ada'], limit: 50 })).toEqual([[], ['a look denied']])
  await store.close()
})

test('[SCALE19] a conversation whose log is damaged is named, and the others are read', async () => {
  const { store } = createMemoryStore({ clock: realClock })
  const rows = (id: string) => [requested(id, 'look'), settled(id, 'allowed', 'ada')]
  await write(store, { conversationId: 'good', ownerId: 'ada', at: 1_000, entries: rows('r1') })
  await write(store, { conversationId: 'bad', ownerId: 'ada', at: 2_000, entries: rows('r2') })
  const damaged = {
    listConversations: store.listConversations,
    readListing: store.readListing,
    async read(query: Parameters<EntryStore['read']>[0]) {
      if (query.conversationId === 'bad')
        throw new DamagedLogError({ conversationId: 'bad', firstBadSeq: 2, what: 'gone' })
      return store.read(query)
    },
  }
  const page = await readAudit(damaged, { ownerIds: ['ada'], before: null, limit: 50 })
  expect(page).toMatchObject({ rows: [{ conversationId: 'good' }], damagedIds: ['bad'], next: null })
  await store.close()
})

test('[SCALE20] the health of a server says how large its store is, how late its event loop is, and what is at work', async () => {
  const { started, ada } = await twoPeople({
    storeFacts: async () => ({ kind: 'sqlite', sizeBytes: 4_096, writeAheadBytes: 32 }),
  })
  const { status, body } = await send(started, ['GET', '/administration/health'], { as: ada })
  expect(status).toBe(200)
  const health = ServerHealth.parse(body)
  expect(health).toMatchObject({
    store: { kind: 'sqlite', sizeBytes: 4_096, writeAheadBytes: 32 },
    openSocketCount: 0,
  })
  expect(health.memoryBytes).toBeGreaterThan(1_000_000)
  expect(health.uptimeMs).toBeGreaterThan(0)
})

test('[SCALE20] a loop that stands still is late by as much', async () => {
  const lag = measureLoopLag(realClock, 100)
  setTimeout(() => {
    const until = performance.now() + 80
    while (performance.now() < until);
  }, 20)
  expect((await lag).mostMs).toBeGreaterThanOrEqual(60)
})

test('[SCALE20] what is at work is counted over the conversations of everybody', async () => {
  const { started, ada, adaId, graceId } = await twoPeople()
  const begin = (conversationId: string, ownerId: string, entries: readonly NewEntry[]) =>
    write(started.store, { conversationId, ownerId, at: 1, entries })
  await begin('queued', graceId, [inputAdmitted('one', 'hello'), inputAdmitted('two', 'and more')])
  await begin('running', adaId, [runStarted('run', 'turn')])
  await begin('asking', graceId, [runStarted('run', 'turn'), requested('r1', 'look')])
  await begin('idle', graceId, [title('t')])
  const { body } = await send(started, ['GET', '/administration/health'], { as: ada })
  expect(ServerHealth.parse(body).work).toEqual({
    conversationsOfEach: 100,
    runningCount: 1,
    waitingForPersonCount: 1,
    queuedCount: 2,
  })
})

test('[SCALE20] the sockets that are open are counted', () => {
  const metrics = createMetrics({ ofProcess: false, clock: realClock })
  for (const change of ['opened', 'opened', 'closed'] as const) metrics.onSocket(change)
  expect(metrics.openSocketCount()).toBe(1)
})
