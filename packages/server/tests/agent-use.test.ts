import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser, type Credentials, send, setUp } from './support/people.ts'
import { type Served, serve } from './support/serve.ts'

let served: Served
let ada: Credentials
let grace: Credentials

async function ask(as: Credentials, method: string, path: string, body?: unknown) {
  const answer = await send(served, [method, path], { as, ...(body === undefined ? {} : { body }) })
  return { status: answer.status, body: answer.body as Record<string, unknown> }
}

beforeAll(async () => {
  served = await serve({ webRoot: null, withAccounts: true })
  ada = await setUp(served)
  grace = await addUser(served, ada, { email: 'grace@example.org', role: 'user' })
})

afterAll(() => served.close())

test('[SEC1, AGENT4] an agent says in how many conversations it answers: those of who asks, archived ones too', async () => {
  const { body: agent } = await ask(ada, 'POST', '/agents', { name: 'Shared', sharing: { type: 'everyone' } })
  const agentId = String(agent['id'])
  const use = async (as: Credentials) => (await ask(as, 'GET', `/agents/${agentId}/use`)).body
  expect(await use(ada)).toEqual({ agentId, conversationCount: 0 })
  const first = await ask(ada, 'POST', '/conversations', { commandId: 'a', agentId })
  await ask(ada, 'POST', '/conversations', { commandId: 'b', agentId })
  await ask(ada, 'POST', '/conversations', { commandId: 'c' })
  await ask(grace, 'POST', '/conversations', { commandId: 'd', agentId })
  await ask(ada, 'PATCH', `/conversations/${String(first.body['id'])}`, { commandId: 'e', archived: true })
  expect(await use(ada)).toEqual({ agentId, conversationCount: 2 })
  expect(await use(grace)).toEqual({ agentId, conversationCount: 1 })
  const { body: own } = await ask(ada, 'POST', '/agents', { name: 'Own' })
  expect((await ask(grace, 'GET', `/agents/${String(own['id'])}/use`)).status).toBe(404)
})

test('[COST3, TOOL8] what a conversation would cost and have is told before it is there', async () => {
  const content = [{ type: 'text', text: 'Hello' }]
  const priced = await ask(grace, 'POST', '/price', { content })
  expect(priced).toMatchObject({ status: 200, body: { modelId: 'scripted', change: null, priceReference: null } })
  expect(await ask(grace, 'POST', '/price', { content, agentId: 'gone' })).toMatchObject({
    status: 422,
    body: { code: 'unknown-agent' },
  })
  expect((await ask(grace, 'POST', '/price', { content: 'Hello' })).status).toBe(400)
  expect(await ask(grace, 'GET', '/tools')).toMatchObject({ status: 200, body: { tools: [{ name: 'look' }] } })
  const { body } = await ask(grace, 'GET', '/conversations')
  expect(body['conversations']).toHaveLength(1)
})
