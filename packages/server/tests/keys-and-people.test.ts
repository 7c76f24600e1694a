import { afterEach, beforeEach, expect, test } from 'vitest'
import { addUser, makeKey, PASSWORD, send, setUp, signIn } from './support/people.ts'
import { type Served, serve, TOKEN } from './support/serve.ts'

let served: Served
beforeEach(async () => {
  const many = { max: 1_000, windowMs: 60_000 }
  served = await serve({ webRoot: null, withAccounts: true, rateLimits: { api: many, signIn: many, account: many } })
})
afterEach(() => served.close())

test('[SEC33] no key of an admin, whatever its scopes, adds or changes people, gives a password or ends a session', async () => {
  const ada = await setUp(served)
  await addUser(served, ada, { email: 'cat@example.org', role: 'user' })
  const { bearer } = await makeKey(served, ada, ['read', 'chat', 'tools', 'admin'])
  const listed = await send(served, ['GET', '/users'], { as: bearer })
  expect(listed.status).toBe(200)
  const catId = (listed.body as { users: { id: string }[] }).users[1]?.id ?? ''
  const sessions = await send(served, ['GET', `/administration/people/${catId}/sessions`], { as: bearer })
  const [session] = (sessions.body as { sessions: { id: string }[] }).sessions
  const person = { name: 'Eve', email: 'eve@example.org', role: 'admin', password: PASSWORD }
  const asked = [
    ['POST', '/users', person],
    ['POST', '/users', { ...person, role: 'user' }],
    ['PATCH', `/users/${catId}`, { role: 'admin' }],
    ['PATCH', `/users/${catId}`, { disabled: true }],
    ['POST', '/users/local/reset-password', { password: 'another long password' }],
    ['POST', `/users/${catId}/reset-password`, {}],
    ['DELETE', `/administration/people/${catId}/sessions/${session?.id}`, undefined],
  ] as const
  for (const [method, path, body] of asked) {
    const { status, body: told } = await send(served, [method, path], { as: bearer, body })
    expect([method, path, status]).toEqual([method, path, 403])
    expect(JSON.stringify(told)).toContain('An API key may not do this')
  }
  expect(await send(served, ['GET', '/users'], { as: ada })).toMatchObject({ body: listed.body })
  await signIn(served, 'ada@example.org')
  // With a session, and at the terminal of the server, all of it can be done.
  for (const as of [ada, { authorization: `Bearer ${TOKEN}` }]) {
    const changed = await send(served, ['PATCH', `/users/${catId}`], { as, body: { name: 'Cat' } })
    expect(changed.status).toBe(200)
  }
  const ended = await send(served, ['DELETE', `/administration/people/${catId}/sessions/${session?.id}`], { as: ada })
  expect(ended.status).toBe(200)
})

test('[SEC33] who is signed in without being an admin changes nobody either', async () => {
  const ada = await setUp(served)
  const cat = await addUser(served, ada, { email: 'cat@example.org', role: 'user' })
  const reset = await send(served, ['POST', '/users/local/reset-password'], { as: cat, body: {} })
  expect(reset).toMatchObject({ status: 403, body: { detail: 'Only an admin may do this' } })
})
