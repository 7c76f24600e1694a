import { CLOSE } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import type { TerminalDirectory } from '../src/parts/terminals.ts'
import { addUser, type Credentials, makeKey, send, setUp } from './support/people.ts'
import { type Served, serve } from './support/serve.ts'
import { connect, type SocketClient } from './support/socket-client.ts'

/** A directory that says back what is said to it: shells are tried where they are started. */
function echoing() {
  const all = new Map<string, Parameters<TerminalDirectory['open']>[0]>()
  const viewers = new Map<string, Set<Parameters<TerminalDirectory['attach']>[1]>>()
  const heard: string[] = []
  const known = (terminalId: string) => {
    const one = all.get(terminalId)
    return one ? { ...one, shell: 'sh', startedAt: 1 } : null
  }
  const directory: TerminalDirectory = {
    list: () => [...all.keys()].flatMap((terminalId) => known(terminalId) ?? []),
    find: known,
    async open(wish) {
      if (all.size >= 2) throw Object.assign(new Error('Enough of them'), { code: 'too-many' })
      all.set(wish.terminalId, wish)
    },
    attach(terminalId, viewer) {
      const own = viewers.get(terminalId) ?? new Set()
      viewers.set(terminalId, own.add(viewer))
      viewer.onScreen({ columns: 80, rows: 24 })
      viewer.onOutput({ text: 'screen', end: 6 })
      return { read: (through) => void heard.push(`read ${through}`), detach: () => void own.delete(viewer) }
    },
    input: (terminalId, text) => void heard.push(`${terminalId}: ${text}`),
    resize: (_, { columns, rows }) => void heard.push(`${columns}x${rows}`),
    async end(terminalId) {
      all.delete(terminalId)
      for (const viewer of viewers.get(terminalId) ?? []) viewer.onEnd({ exitCode: 0 })
    },
  }
  return { directory, heard, watching: (terminalId: string) => viewers.get(terminalId)?.size ?? 0 }
}

let served: Served
let admin: Credentials
let echo: ReturnType<typeof echoing>

beforeEach(async () => {
  echo = echoing()
  const nothing = { find: async () => [], mapOf: async () => null, textOf: async () => null }
  const workspaces = { ...nothing, folderOf: () => '/work' }
  served = await serve({ webRoot: null, withAccounts: true, terminals: echo.directory, workspaces })
  admin = await setUp(served)
})

afterEach(() => served.close())

async function conversationOf(as: Credentials): Promise<string> {
  const { body } = await send(served, ['POST', '/conversations'], { as, body: { commandId: crypto.randomUUID() } })
  return (body as { id: string }).id
}

async function lineOf(as: Credentials): Promise<SocketClient> {
  const client = await connect(served, { origin: served.url, ...as })
  client.send({ type: 'hello', protocol: 1, clientId: 'tab' })
  await client.next('welcome')
  return client
}

function opening(terminalId: string, conversationId: string) {
  return { type: 'terminal-open', terminalId, conversationId, isNew: true, columns: 100, rows: 30 } as const
}

test('[WS26] terminals are for administrators, with a key that may all they may, in conversations of their own', async () => {
  const mine = await conversationOf(admin)
  const line = await lineOf(admin)
  line.send(opening('t1', mine))
  expect(await line.next('terminal-output')).toMatchObject({ text: 'screen', end: 6 })
  const full = await lineOf((await makeKey(served, admin, ['read', 'chat', 'tools', 'admin'])).bearer)
  full.send({ ...opening('t1', mine), isNew: false })
  await full.next('terminal-output')

  const user = await addUser(served, admin, { email: 'user@example.org', role: 'user' })
  const other = await addUser(served, admin, { email: 'other@example.org', role: 'admin' })
  const some = (await makeKey(served, admin, ['read', 'chat', 'tools'])).bearer
  const tries: readonly [Credentials, string, number][] = [
    [user, await conversationOf(user), 403],
    [user, mine, 403],
    [some, mine, 403],
    [other, mine, 404],
    [other, await conversationOf(other), 404],
  ]
  for (const [as, conversationId, status] of tries) {
    const theirs = await lineOf(as)
    theirs.send(opening('t1', conversationId))
    expect((await theirs.next('refused')).problem.status).toBe(status)
    theirs.send({ type: 'terminal-input', terminalId: 't1', text: 'rm -rf /\r' })
    theirs.send({ type: 'terminal-close', terminalId: 't1', ends: true })
    theirs.send({ type: 'ping' })
    await theirs.next('pong')
    theirs.socket.close()
  }
  expect(echo.heard.filter((said) => said.startsWith('t1:'))).toEqual([])
  expect(echo.directory.find('t1')).not.toBeNull()
  for (const [as, refusal] of [
    [some, 'not-allowed'],
    [admin, null],
  ] as const) {
    const { body } = await send(served, ['GET', `/conversations/${mine}/terminals`], { as })
    expect(body).toMatchObject({ refusal, terminals: { length: refusal === null ? 1 : 0 } })
  }
})

test('[WS25] a socket looks at a terminal, types, and leaves it without ending it', async () => {
  const mine = await conversationOf(admin)
  const line = await lineOf(admin)
  line.send(opening('t1', mine))
  await line.next('terminal-open')
  line.send({ type: 'terminal-input', terminalId: 't1', text: 'ls\r' })
  line.send({ type: 'terminal-read', terminalId: 't1', through: 6 })
  line.send({ type: 'terminal-input', terminalId: 'unknown', text: 'x' })
  line.send({ type: 'ping' })
  await line.next('pong')
  expect(echo.heard).toEqual(['100x30', 't1: ls\r', 'read 6'])
  line.socket.close()
  await expect.poll(() => echo.watching('t1')).toBe(0)
  const again = await lineOf(admin)
  again.send({ ...opening('t1', mine), isNew: false })
  await again.next('terminal-open')
  again.send({ type: 'terminal-close', terminalId: 't1', ends: true })
  expect(await again.next('terminal-close')).toMatchObject({ terminalId: 't1', exitCode: 0 })
  again.send({ ...opening('t1', mine), isNew: false })
  expect((await again.next('refused')).problem).toMatchObject({ status: 404, code: 'unknown-terminal' })
})

test('[WS29] what is too much is refused in words, and the line goes on', async () => {
  const mine = await conversationOf(admin)
  const line = await lineOf(admin)
  for (const id of ['t1', 't2', 't3']) line.send(opening(id, mine))
  expect(await line.next('refused')).toMatchObject({
    terminalId: 't3',
    problem: { status: 429, code: 'too-many-terminals' },
  })
  line.send({ type: 'ping' })
  await line.next('pong')
})

test('[WS27] the terminals of a conversation that is deleted end with it', async () => {
  const mine = await conversationOf(admin)
  const line = await lineOf(admin)
  line.send(opening('t1', mine))
  await line.next('terminal-open')
  await send(served, ['DELETE', `/conversations/${mine}?commandId=delete`], { as: admin })
  await line.next('terminal-close')
  expect(echo.directory.list()).toEqual([])
})

test.each([{ role: 'user' }, { disabled: true }])(
  '[SCALE34] the terminals of an admin who is made %o, at another server too, end with what they started, and no line opens another',
  async (change) => {
    const dan = await addUser(served, admin, { email: 'dan@example.org', role: 'admin' })
    const danId = ((await send(served, ['GET', '/auth/me'], { as: dan })).body as { userId: string }).userId
    const [theirs, mine] = [await conversationOf(dan), await conversationOf(admin)]
    const [line, other] = [await lineOf(dan), await lineOf(admin)]
    line.send(opening('t1', theirs))
    other.send(opening('t2', mine))
    await line.next('terminal-open')
    await other.next('terminal-open')
    // As another server does: this one learns it from the database.
    const key = { kind: 'account-user', schema: z.record(z.string(), z.json()) }
    const stored = await served.records.get(key, { ownerId: 'installation', id: danId })
    if (!stored) throw new Error('There is Dan')
    const { ownerId, id, revision, value } = stored
    await served.records.put(key, { ownerId, id, revision, value: { ...value, ...change }, at: 1 })
    expect(await line.closed).toBe('disabled' in change ? CLOSE.notAllowed.status : CLOSE.goingAway.status)
    await expect
      .poll(() => echo.directory.list().map(({ terminalId }) => terminalId), { timeout: 9_000 })
      .toEqual(['t2'])
    if ('disabled' in change) return
    const again = await lineOf(dan)
    again.send(opening('t3', theirs))
    expect((await again.next('refused')).problem).toMatchObject({ status: 403 })
  },
)
