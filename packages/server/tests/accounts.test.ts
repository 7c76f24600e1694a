import { Json } from '@holdfast/conversation'
import { API_PATH, SOCKET_PATH } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { addUser, type Credentials, makeKey, PASSWORD, send, setUp, signIn } from './support/people.ts'
import { type Served, serve, TOKEN } from './support/serve.ts'

let served: Served

beforeEach(async () => {
  served = await serve({ webRoot: null, withAccounts: true })
})

afterEach(async () => {
  await served.close()
})

const ME = ['GET', '/auth/me'] as const

/** The close code and reason of a socket that is opened with these headers, once `act` was done. */
async function closeOf(headers: Readonly<Record<string, string>>, act: () => Promise<unknown>): Promise<number> {
  const socket = new WebSocket(served.url.replace('http', 'ws') + SOCKET_PATH, {
    headers: { origin: served.url, ...headers },
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await act()
  return closed
}

test('[SEC2] the link of the terminal makes the first account, an admin, once', async () => {
  const state = () => send(served, ['GET', '/auth/state'], { as: {} })
  expect((await state()).body).toMatchObject({ mode: 'accounts', needsSetup: true })
  const body = { token: 'another token', name: 'Eve', email: 'eve@example.org', password: PASSWORD }
  expect(await send(served, ['POST', '/auth/setup'], { as: {}, body })).toMatchObject({ status: 403 })
  expect(await send(served, ['POST', '/auth/setup'], { as: {}, body: { ...body, token: TOKEN } })).toMatchObject({
    status: 403,
  })

  const first = await setUp(served)
  expect((await state()).body).toMatchObject({ needsSetup: false })
  expect((await send(served, ME, { as: first })).body).toMatchObject({
    userId: 'local',
    role: 'admin',
    account: { email: 'ada@example.org', role: 'admin' },
  })
  const again = { ...body, token: served.accounts?.setupToken() }
  expect(await send(served, ['POST', '/auth/setup'], { as: {}, body: again })).toMatchObject({ status: 409 })
})

test('[SEC2] asks of a password only that it is long, and says the same of a wrong one and of an unknown address', async () => {
  const token = served.accounts?.setupToken()
  const person = { token, name: 'Ada', email: 'ada@example.org' }
  const short = await send(served, ['POST', '/auth/setup'], { as: {}, body: { ...person, password: 'Aa1!Aa1!' } })
  expect(short.status).toBe(400)
  const long = await send(served, ['POST', '/auth/setup'], { as: {}, body: { ...person, password: 'aaaaaaaaaaaa' } })
  expect(long.status).toBe(201)
  const tries = [
    { email: 'ada@example.org', password: 'something else' },
    { email: 'nobody@example.org', password: 'aaaaaaaaaaaa' },
  ].map((body) => send(served, ['POST', '/auth/sign-in/email'], { as: {}, body }))
  const [wrong, unknown] = await Promise.all(tries)
  expect(wrong).toMatchObject({ status: 401, body: { code: 'wrong-password' }, cookie: '' })
  expect(unknown?.body).toEqual(wrong?.body)
})

test('[SEC2] the cookie of a session is for this server alone, and no script reads it', async () => {
  await setUp(served)
  const answer = await fetch(`${served.url}${API_PATH}/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: served.url, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ADA@example.org', password: PASSWORD }),
  })
  expect(answer.status).toBe(200)
  const [cookie] = answer.headers.getSetCookie()
  expect(cookie).toMatch(/; HttpOnly/i)
  expect(cookie).toMatch(/; SameSite=Strict/i)
  expect(JSON.stringify(await answer.json())).not.toContain('token')
})

test('[SEC1] a person sees and ends their own sessions, and nobody else’s', async () => {
  const ada = await setUp(served)
  const bob = await addUser(served, ada, { email: 'bob@example.org', role: 'user' })
  const phone = await signIn(served, 'bob@example.org')
  const list = async (as: typeof bob) =>
    (await send(served, ['GET', '/auth/sessions'], { as })).body as { sessions: { id: string; isCurrent: boolean }[] }
  const { sessions } = await list(bob)
  expect(sessions.map(({ isCurrent }) => isCurrent).toSorted()).toEqual([false, true])
  const other = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? ''
  expect(await send(served, ['DELETE', `/auth/sessions/${other}`], { as: ada })).toMatchObject({
    status: 404,
    body: { code: 'unknown-session' },
  })
  expect(await send(served, ME, { as: phone })).toMatchObject({ status: 200 })
  expect(await send(served, ['DELETE', `/auth/sessions/${other}`], { as: bob })).toMatchObject({ status: 200 })
  expect(await send(served, ME, { as: phone })).toMatchObject({ status: 401 })
  expect(await send(served, ME, { as: bob })).toMatchObject({ status: 200 })
  expect((await list(ada)).sessions).toHaveLength(1)
})

test('[SEC1] another password ends the other sessions, and needs the present one', async () => {
  const ada = await setUp(served)
  const phone = await signIn(served, 'ada@example.org')
  const change = (currentPassword: string) =>
    send(served, ['POST', '/auth/change-password'], {
      as: ada,
      body: { currentPassword, newPassword: 'another long password' },
    })
  expect(await change('not the present one')).toMatchObject({ status: 403, body: { code: 'wrong-password' } })
  expect(await send(served, ME, { as: phone })).toMatchObject({ status: 200 })
  expect(await change(PASSWORD)).toMatchObject({ status: 200 })
  expect(await send(served, ME, { as: phone })).toMatchObject({ status: 401 })
  expect(await send(served, ME, { as: ada })).toMatchObject({ status: 200 })
  expect((await signIn(served, 'ada@example.org')).cookie).toBe('')
})

test('[SEC4] a key is shown once, kept as its hash, and does what its scopes say', async () => {
  const ada = await setUp(served)
  const { bearer, key, keyId } = await makeKey(served, ada, ['read'])
  const listed = await send(served, ['GET', '/auth/keys'], { as: ada })
  expect(JSON.stringify(listed.body)).not.toContain(key)
  const changes = await served.records.changes(0, 500)
  expect(changes.some(({ kind }) => kind === 'account-api-key')).toBe(true)
  expect(JSON.stringify(await everyRecord())).not.toContain(key)

  expect(await send(served, ['GET', '/conversations'], { as: bearer })).toMatchObject({ status: 200 })
  const create = { as: bearer, body: { commandId: 'command_1' } }
  expect(await send(served, ['POST', '/conversations'], create)).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  })
  expect(
    await send(served, ['POST', '/auth/keys'], { as: bearer, body: { name: 'x', scopes: ['admin'] } }),
  ).toMatchObject({ status: 403 })
  expect(await send(served, ['DELETE', `/auth/keys/${keyId}`], { as: ada })).toMatchObject({ status: 200 })
  expect(await send(served, ['GET', '/conversations'], { as: bearer })).toMatchObject({ status: 401 })
})

test('[SEC1] a key for talking changes no setting that decides what tools may do', async () => {
  const ada = await setUp(served)
  const { bearer } = await makeKey(served, ada, ['chat'])
  const made = await send(served, ['POST', '/conversations'], { as: bearer, body: { commandId: 'command_1' } })
  const { id } = made.body as { id: string }
  const change = (settings: object) =>
    send(served, ['PATCH', `/conversations/${id}`], {
      as: bearer,
      body: { commandId: JSON.stringify(settings), settings },
    })
  expect(await change({ permissionMode: 'bypass' })).toMatchObject({ status: 403 })
  expect(await change({ instructions: 'Be short' })).toMatchObject({ status: 200 })
})

/** The values of all records of accounts, as they are kept. */
async function everyRecord(): Promise<unknown[]> {
  const found: unknown[] = []
  for (const { kind, ownerId, id } of await served.records.changes(0, 500))
    found.push(await served.records.get({ kind, schema: Json }, { ownerId, id }))
  return found
}

test('[SEC4] neither the password nor what opens a session stands in the database', async () => {
  const { cookie = '' } = await setUp(served)
  const kept = JSON.stringify(await everyRecord())
  const token = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? ''
  expect(token.length).toBeGreaterThan(20)
  expect(kept).not.toContain(token)
  expect(kept).not.toContain(PASSWORD)
})

test('[SEC1] a user who is disabled loses every way in at once, also those that are open', async () => {
  const ada = await setUp(served)
  const bob = await addUser(served, ada, { email: 'bob@example.org', role: 'user' })
  const { bearer } = await makeKey(served, bob, ['read', 'chat'])
  const { users } = (await send(served, ['GET', '/users'], { as: ada })).body as {
    users: { id: string; email: string }[]
  }
  const id = users.find(({ email }) => email === 'bob@example.org')?.id ?? ''
  const disable = () => send(served, ['PATCH', `/users/${id}`], { as: ada, body: { disabled: true } })
  const byKey = closeOf(bearer, async () => {})
  expect(await closeOf(bob, disable)).toBe(4403)
  expect(await byKey).toBe(4403)
  expect(await send(served, ME, { as: bob })).toMatchObject({ status: 401 })
  expect(await send(served, ME, { as: bearer })).toMatchObject({ status: 401 })
  expect(
    await send(served, ['POST', '/auth/sign-in/email'], {
      as: {},
      body: { email: 'bob@example.org', password: PASSWORD },
    }),
  ).toMatchObject({ status: 403, cookie: '' })
})

test('[SEC1] the last admin stays one', async () => {
  const ada = await setUp(served)
  const change = (body: object) => send(served, ['PATCH', '/users/local'], { as: ada, body })
  expect(await change({ role: 'user' })).toMatchObject({ status: 409, body: { code: 'last-admin' } })
  expect(await change({ disabled: true })).toMatchObject({ status: 409, body: { code: 'last-admin' } })
  await addUser(served, ada, { email: 'bob@example.org', role: 'admin' })
  expect(await change({ role: 'user' })).toMatchObject({ status: 200 })
})

test('[SEC1] an admin gives another password, which ends the sessions of the user', async () => {
  const ada = await setUp(served)
  const bob = await addUser(served, ada, { email: 'bob@example.org', role: 'user' })
  const me = (await send(served, ME, { as: bob })).body as { userId: string }
  const reset = await send(served, ['POST', `/users/${me.userId}/reset-password`], { as: ada, body: {} })
  const { madePassword } = reset.body as { madePassword: string }
  expect(madePassword.length).toBeGreaterThan(20)
  expect(await send(served, ME, { as: bob })).toMatchObject({ status: 401 })
  const body = { email: 'bob@example.org', password: madePassword }
  expect(await send(served, ['POST', '/auth/sign-in/email'], { as: {}, body })).toMatchObject({ status: 200 })
})

test('[SEC2] the start-up token opens for the terminal of this computer, and not through a proxy', async () => {
  await setUp(served)
  const operator = { authorization: `Bearer ${TOKEN}` }
  expect(await send(served, ME, { as: operator })).toMatchObject({ status: 200, body: { userId: 'local' } })
  expect(await send(served, ME, { as: { ...operator, 'x-forwarded-for': '127.0.0.1' } })).toMatchObject({ status: 401 })
  const link = await fetch(`${served.url}/?token=${TOKEN}`, { redirect: 'manual' })
  expect(link.headers.getSetCookie()).toEqual([])
})

test('[SEC1] who says in a header or a body who they are is not believed', async () => {
  const ada = await setUp(served)
  const bob = await addUser(served, ada, { email: 'bob@example.org', role: 'user' })
  const claims = ['x-', 'x-forwarded-', 'x-auth-', 'x-holdfast-', 'remote-', 'cf-access-'].flatMap((beginning) =>
    ['user', 'user-id', 'userid', 'role', 'roles', 'scope', 'scopes', 'email', 'principal', 'admin'].map(
      (end) => beginning + end,
    ),
  )
  expect(claims.length).toBeGreaterThanOrEqual(50)
  for (const name of claims) {
    const said = { ...bob, [name]: name.includes('role') ? 'admin' : 'local', 'x-holdfast-address': '127.0.0.1' }
    expect(await send(served, ['GET', '/users?userId=local&role=admin'], { as: said }), name).toMatchObject({
      status: 403,
    })
  }
  const body = { name: 'x', role: 'admin', userId: 'local' }
  expect(await send(served, ['PATCH', '/users/local'], { as: bob, body })).toMatchObject({ status: 403 })
})

test('[SEC25] another password takes the API keys away too: by an admin always, by oneself unless they are kept', async () => {
  const ada = await setUp(served)
  const bob = await addUser(served, ada, { email: 'bob@example.org', role: 'user' })
  const me = (await send(served, ME, { as: bob })).body as { userId: string }
  const first = await makeKey(served, bob, ['read'])
  const change = (currentPassword: string, newPassword: string, more: object) =>
    send(served, ['POST', '/auth/change-password'], { as: bob, body: { currentPassword, newPassword, ...more } })
  expect((await change(PASSWORD, 'another long password', { keepKeys: true })).status).toBe(200)
  expect((await send(served, ME, { as: first.bearer })).status).toBe(200)
  expect((await change('another long password', 'a third long password', {})).status).toBe(200)
  expect((await send(served, ME, { as: first.bearer })).status).toBe(401)
  const second = await makeKey(served, bob, ['read'])
  const others = (body?: object) =>
    send(served, ['POST', '/auth/sessions/end-others'], { as: bob, ...(body === undefined ? {} : { body }) })
  expect((await others()).status).toBe(200)
  expect((await send(served, ME, { as: second.bearer })).status).toBe(200)
  expect((await others({ removeKeys: true })).status).toBe(200)
  expect((await send(served, ME, { as: second.bearer })).status).toBe(401)
  const third = await makeKey(served, bob, ['read', 'chat'])
  const ended = closeOf(third.bearer, async () => {})
  await send(served, ['POST', `/users/${me.userId}/reset-password`], { as: ada, body: {} })
  expect((await send(served, ME, { as: third.bearer })).status).toBe(401)
  expect(await ended).toBe(4403)
})

test('[SEC1] figures of the whole installation are for its admins', async () => {
  const ada = await setUp(served)
  const bob = await addUser(served, ada, { email: 'bob@example.org', role: 'user' })
  const statusFor = async (as: Credentials) =>
    (await fetch(`${served.url}${API_PATH}/metrics`, { headers: { ...as } })).status
  expect(await statusFor(ada)).toBe(200)
  expect(await statusFor(bob)).toBe(403)
  expect(await statusFor((await makeKey(served, bob, ['read'])).bearer)).toBe(403)
})
