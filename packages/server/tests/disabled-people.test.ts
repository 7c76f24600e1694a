import { afterEach, beforeEach, expect, test } from 'vitest'
import { addUser, type Credentials, send, setUp } from './support/people.ts'
import { type Served, serve } from './support/serve.ts'

let served: Served
let ada: Credentials
let ben: Credentials
let benId: string
let conversationId: string

beforeEach(async () => {
  served = await serve({ webRoot: null, withAccounts: true })
  ada = await setUp(served)
  ben = await addUser(served, ada, { email: 'ben@example.org', role: 'user' })
  benId = ((await send(served, ['GET', '/auth/me'], { as: ben })).body as { userId: string }).userId
  const made = await send(served, ['POST', '/conversations'], { as: ben, body: { commandId: 'create' } })
  conversationId = (made.body as { id: string }).id
})

afterEach(() => served.close())

function say(commandId: string, text: string) {
  const body = { commandId, content: [{ type: 'text', text }] }
  return send(served, ['POST', `/conversations/${conversationId}/inputs`], { as: ben, body })
}

async function log() {
  return (await served.store.read({ conversationId, after: 0, limit: 500 })).entries
}

const typesOf = async (): Promise<readonly string[]> => (await log()).map(({ type }) => type)

async function disable() {
  expect((await send(served, ['PATCH', `/users/${benId}`], { as: ada, body: { disabled: true } })).status).toBe(200)
}

test('[SCALE34] disabling an account stops what runs for it and holds what waits, by the hand of the admin', async () => {
  await say('first', 'begin')
  await served.model.asked()
  served.model.say('half of an answer')
  await say('second', 'and then this')
  await expect.poll(typesOf).toContain('step-started')
  await disable()
  await expect.poll(typesOf).toContain('run-finished')
  const entries = await log()
  expect(entries.find(({ type }) => type === 'stop-requested')).toMatchObject({ actor: { userId: 'local' } })
  expect(entries.find(({ type }) => type === 'run-finished')).toMatchObject({ outcome: 'stopped' })
  expect(entries.map(({ type }) => type)).toContain('queue-held')
  expect(served.model.requests).toHaveLength(1)
  // Enabled again, the queue is as a stop leaves it: it waits for its person.
  await send(served, ['PATCH', `/users/${benId}`], { as: ada, body: { disabled: false } })
  expect(await served.call('GET', '/api/v1/health')).toMatchObject({ status: 200 })
  expect(served.model.requests).toHaveLength(1)
})

test('[SCALE34] disabling an account stops what waits for its person too: something may be at work beside it', async () => {
  await say('first', 'look')
  await served.model.asked()
  served.model.call('look', { path: 'a' })
  await expect.poll(typesOf).toContain('permission-requested')
  await disable()
  await expect.poll(typesOf).toContain('run-finished')
  const entries = await log()
  expect(entries.find(({ type }) => type === 'permission-settled')).toMatchObject({ outcome: 'cancelled', by: 'stop' })
  expect(entries.find(({ type }) => type === 'run-finished')).toMatchObject({ outcome: 'stopped' })
  expect(served.model.requests).toHaveLength(1)
})

test('[SCALE34] for a disabled account no model is asked, whatever sets it off, and the run says why', async () => {
  // As another server or the terminal disables: nothing here stops by itself.
  await served.accounts?.people.change(benId, { disabled: true })
  const actor = { type: 'person', userId: benId } as const
  await served.engine.sendMessage({
    commandId: 'set off',
    actor,
    conversationId,
    content: [{ type: 'text', text: 'go on' }],
    lane: 'turn',
  })
  await expect.poll(typesOf).toContain('run-finished')
  expect((await log()).find(({ type }) => type === 'run-finished')).toMatchObject({
    outcome: 'limit',
    reason: 'This account is disabled; an admin can enable it',
  })
  expect(served.model.requests).toHaveLength(0)
})

test('[SCALE34] a run that goes on with the answers of tools ends before its next request', async () => {
  await say('first', 'look')
  await served.model.asked()
  await served.accounts?.people.change(benId, { disabled: true })
  served.model.call('look', { path: 'a' })
  await expect.poll(typesOf).toContain('permission-requested')
  const asked = (await log()).find(({ type }) => type === 'permission-requested') as { requestId?: string } | undefined
  const answer = { commandId: 'allow', actor: { type: 'person', userId: benId } as const, conversationId }
  await served.engine.answerPermission({
    ...answer,
    requestId: asked?.requestId ?? '',
    decision: 'allow',
    scope: 'call',
  })
  await expect.poll(typesOf).toContain('run-finished')
  expect((await log()).find(({ type }) => type === 'run-finished')).toMatchObject({ outcome: 'limit' })
  expect(served.model.requests).toHaveLength(1)
})
