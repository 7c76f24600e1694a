import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { type Postgres, startPostgres } from './support/postgres.ts'
import { type Program, startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

let postgres: Postgres
let folders: readonly string[]
let variables: Readonly<Record<string, string>>
let one: Program
let other: Program

beforeAll(async () => {
  postgres = await startPostgres()
  folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'holdfast-replica-'))))
  variables = { HOLDFAST_DATABASE_URL: postgres.url, HOLDFAST_SECRET_KEY: randomBytes(32).toString('base64url') }
  const [first = '', second = ''] = folders
  one = await startProgram(first, variables, ['--auth', 'accounts'])
  other = await startProgram(second, variables, ['--auth', 'accounts'])
}, 120_000)

afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  await postgres.stop()
  for (const folder of folders) await rm(folder, { recursive: true })
})

const Id = z.object({ id: z.string() })

/** Signs in at one server. @returns what the page sends. */
async function signIn(
  { url }: Program,
  asked: { readonly email: string; readonly password: string },
): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/v1/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ email: asked.email, password: asked.password }),
  })
  const { pageKey } = z.object({ pageKey: z.string() }).parse(await answer.json())
  return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'holdfast-page-key': pageKey }
}

async function statusOf({ url }: Program, page: Record<string, string>): Promise<number> {
  return (await fetch(`${url}/api/v1/auth/me`, { headers: page })).status
}

test('[SEC1] two servers on one PostgreSQL share accounts: a session of one is one of the other, until it is ended', async () => {
  const person = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery' }
  await one.call('POST', '/users', person)
  const bob = { name: 'Bob', email: 'bob@example.org', password: 'another long password' }
  await other.call('POST', '/users', bob)
  const page = await signIn(one, bob)
  expect(await statusOf(other, page)).toBe(200)
  const [dataDir = ''] = folders
  const disable = await runCommand(['user', 'disable', 'bob@example.org', '--data-dir', dataDir], '', variables).ended
  expect(disable).toMatchObject({ code: 0, stderr: expect.stringContaining('disabled') })
  expect(await statusOf(other, page)).toBe(401)
  expect(await statusOf(one, page)).toBe(401)
}, 60_000)

test('[SCALE32] admins who take each other away at two servers at once leave one, and an address added at both has one account', async () => {
  const People = z.object({ users: z.array(z.object({ id: z.string(), email: z.string(), role: z.string() })) })
  const people = async () => People.parse(await one.call('GET', '/users')).users
  const dan = { name: 'Dan', email: 'dan@example.org', password: 'correct horse battery', role: 'admin' }
  await other.call('POST', '/users', dan)
  const danId = (await people()).find(({ email }) => email === dan.email)?.id ?? ''
  for (let round = 0; round < 12; round += 1) {
    await Promise.all([
      one.call('PATCH', `/users/${danId}`, { role: 'user' }),
      other.call('PATCH', '/users/local', { role: 'user' }),
    ])
    expect((await people()).filter(({ role }) => role === 'admin')).toHaveLength(1)
    for (const id of ['local', danId]) await one.call('PATCH', `/users/${id}`, { role: 'admin' })
    const email = `twice-${round}@example.org`
    const body = { name: 'Twice', email, password: 'correct horse battery' }
    await Promise.all([one.call('POST', '/users', body), other.call('POST', '/users', body)])
    expect((await people()).filter((user) => user.email === email)).toHaveLength(1)
  }
}, 60_000)

/** Follows a conversation at a server. @returns all that has come so far. */
async function follow({ url, token }: Program, id: string): Promise<() => string> {
  const answer = await fetch(`${url}/api/v1/conversations/${id}/entries?after=0&live=sse`, {
    headers: { authorization: `Bearer ${token}` },
  })
  let heard = ''
  const reading = answer.body?.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(text) {
        heard += text
      },
    }),
  )
  // The server ends the line when it is stopped.
  reading?.catch(() => {})
  return () => heard
}

test('[STOP1, SYNC1] a conversation is read, followed and stopped through either server', async () => {
  const { id } = Id.parse(await one.call('POST', '/conversations', { commandId: 'command_1', modelId: 'demo' }))
  const heard = await follow(other, id)
  const content = [{ type: 'text', text: '/demo stream-long' }]
  await one.call('POST', `/conversations/${id}/inputs`, { commandId: 'command_2', content })
  const stateAt = async (program: Program) =>
    z.object({ state: z.string() }).parse(await program.call('GET', `/conversations/${id}`)).state
  await expect.poll(() => stateAt(other), { timeout: 10_000 }).toBe('running')
  await expect.poll(heard, { timeout: 30_000 }).toContain('event: delta')
  expect(await other.call('POST', `/conversations/${id}/stop`, { commandId: 'command_3' })).toMatchObject({
    accepted: true,
  })
  await expect.poll(() => stateAt(one), { timeout: 10_000 }).not.toBe('running')
  const { entries } = z
    .object({ entries: z.array(z.looseObject({ type: z.string() })) })
    .parse(await other.call('GET', `/conversations/${id}/entries?after=0&limit=200`))
  expect(entries.filter(({ type }) => type === 'run-finished')).toMatchObject([{ outcome: 'stopped' }])
  await expect.poll(heard, { timeout: 10_000 }).toContain('"type":"run-finished"')
}, 60_000)

test('[SEC4] a provider that is added at one server is there at the other, with its key', async () => {
  const added = { id: 'work', type: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'sk-canary-replica-9f2c' }
  await one.call('POST', '/providers', added)
  const at = async () => JSON.stringify(await other.call('GET', '/providers'))
  await expect.poll(at, { timeout: 15_000 }).toContain('"keyEnding":"9f2c"')
  expect(`${await at()}${one.output()}${other.output()}`).not.toContain('sk-canary-replica')
}, 60_000)
