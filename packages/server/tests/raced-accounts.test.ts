import type { Records } from '@holdfast/conversation'
import { createMemoryStore } from '@holdfast/store/memory'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addUser, type Credentials, PASSWORD, send, setUp } from './support/people.ts'
import { realClock } from './support/real-ports.ts'
import { type Served, serve, TOKEN } from './support/serve.ts'

const MANY = { max: 1_000, windowMs: 60_000 }

let one: Served
let other: Served
/** Writes wait until so many are there, so that each was decided before any was made; 0 for none. */
let meeting = 0
let waiting: (() => void)[] = []

/** Records in which writes meet. */
function meetingIn(records: Records): Records {
  const met = async (): Promise<void> => {
    if (meeting === 0) return
    meeting -= 1
    const here = new Promise<void>((resolve) => waiting.push(resolve))
    if (meeting === 0) for (const go of waiting.splice(0)) go()
    await here
  }
  return {
    ...records,
    put: async (kind, write) => {
      await met()
      return records.put(kind, write)
    },
    putTogether: async (writes) => {
      await met()
      return records.putTogether(writes)
    },
  }
}

beforeEach(async () => {
  meeting = 0
  waiting = []
  const opened = createMemoryStore({ clock: realClock })
  const openStore = async () => ({ store: opened.store, records: meetingIn(opened.records) })
  const rateLimits = { api: MANY, signIn: MANY, account: MANY }
  const options = { webRoot: null, withAccounts: true, rateLimits, openStore }
  one = await serve(options)
  other = await serve(options)
})

afterEach(async () => {
  await one.close()
  await other.close()
})

async function peopleAt(served: Served) {
  const { body } = await send(served, ['GET', '/users'], { as: { authorization: `Bearer ${TOKEN}` } })
  return (body as { users: { id: string; email: string; role: string; disabled: boolean }[] }).users
}

async function idOf(email: string): Promise<string> {
  return (await peopleAt(one)).find((user) => user.email === email)?.id ?? ''
}

/** What two servers answer to what is asked of them at the same moment. */
async function atOnce(
  asked: readonly (readonly [Served, readonly [string, string], Credentials, object])[],
): Promise<readonly number[]> {
  meeting = asked.length
  const answers = await Promise.all(asked.map(([served, route, as, body]) => send(served, route, { as, body })))
  return answers.map(({ status }) => status).toSorted()
}

test.each([{ role: 'user' }, { disabled: true }])(
  '[SCALE32] of two admins who take each other %o at two servers at once, one stays an admin',
  async (change) => {
    const ada = await setUp(one)
    const dan = await addUser(one, ada, { email: 'dan@example.org', role: 'admin' })
    const danId = await idOf('dan@example.org')
    const statuses = await atOnce([
      [one, ['PATCH', `/users/${danId}`], ada, change],
      [other, ['PATCH', '/users/local'], dan, change],
    ])
    expect(statuses).toEqual([200, 409])
    for (const served of [one, other])
      expect((await peopleAt(served)).filter(({ role, disabled }) => role === 'admin' && !disabled)).toHaveLength(1)
  },
)

test('[SCALE32] of four admins any two take each other away at once, and the others stay', async () => {
  const ada = await setUp(one)
  for (const name of ['bo', 'cy', 'di']) await addUser(one, ada, { email: `${name}@example.org`, role: 'admin' })
  const [bo, cy] = [await idOf('bo@example.org'), await idOf('cy@example.org')]
  const change = { role: 'user' }
  const statuses = await atOnce([
    [one, ['PATCH', `/users/${bo}`], ada, change],
    [other, ['PATCH', `/users/${cy}`], ada, change],
  ])
  expect(statuses).toEqual([200, 200])
  expect((await peopleAt(other)).map(({ role }) => role)).toEqual(['admin', 'user', 'user', 'admin'])
})

test('[SCALE32] who is made an admin while they are disabled at another server is no admin who cannot act', async () => {
  const ada = await setUp(one)
  await addUser(one, ada, { email: 'bo@example.org', role: 'user' })
  const bo = await idOf('bo@example.org')
  await atOnce([
    [one, ['PATCH', `/users/${bo}`], ada, { role: 'admin' }],
    [other, ['PATCH', `/users/${bo}`], ada, { disabled: true }],
  ])
  expect(await peopleAt(one)).toMatchObject([
    { role: 'admin', disabled: false },
    { role: 'admin', disabled: true },
  ])
  expect(await send(other, ['PATCH', '/users/local'], { as: ada, body: { role: 'user' } })).toMatchObject({
    status: 409,
  })
})

test('[SCALE32] an e-mail address that is added at two servers at once has one account, which can be signed in to', async () => {
  const ada = await setUp(one)
  const body = { name: 'Dup', email: 'Dup@example.org', password: PASSWORD }
  const statuses = await atOnce([
    [one, ['POST', '/users'], ada, body],
    [other, ['POST', '/users'], ada, { ...body, email: 'dup@EXAMPLE.org' }],
  ])
  expect(statuses).toEqual([201, 409])
  expect((await peopleAt(other)).filter(({ email }) => email === 'dup@example.org')).toHaveLength(1)
  const signIn = { email: body.email, password: PASSWORD }
  expect((await send(other, ['POST', '/auth/sign-in/email'], { as: {}, body: signIn })).status).toBe(200)
})

test('[SCALE32] of two links that make the first account at once, one does', async () => {
  const token = one.accounts?.setupToken() ?? ''
  const person = { token, name: 'Ada', password: PASSWORD }
  const statuses = await atOnce([
    [one, ['POST', '/auth/setup'], {}, { ...person, email: 'ada@example.org' }],
    [other, ['POST', '/auth/setup'], {}, { ...person, email: 'eve@example.org' }],
  ])
  expect(statuses).toEqual([201, 409])
  expect(await peopleAt(one)).toMatchObject([{ id: 'local', role: 'admin' }])
})

test('[SCALE32] the last key that somebody may have is made once at two servers at once', async () => {
  const ada = await setUp(one)
  const body = { name: 'a script', scopes: ['read'] }
  for (let made = 0; made < 49; made += 1) await send(one, ['POST', '/auth/keys'], { as: ada, body })
  const statuses = await atOnce([
    [one, ['POST', '/auth/keys'], ada, body],
    [other, ['POST', '/auth/keys'], ada, body],
  ])
  expect(statuses).toEqual([201, 422])
  const { body: listed } = await send(other, ['GET', '/auth/keys'], { as: ada })
  expect((listed as { keys: unknown[] }).keys).toHaveLength(50)
})
