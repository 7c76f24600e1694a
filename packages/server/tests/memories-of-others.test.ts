import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser, type Credentials, send, setUp } from './support/people.ts'
import { type Served, serve } from './support/serve.ts'

/** Words that only one of them has, in every memory of theirs. */
const SECRET_OF = { ada: 'Quetzalcoatlus', grace: 'Pachycephalosaurus' } as const

let served: Served
let ada: Credentials
let grace: Credentials
let agentId: string

async function ask(as: Credentials, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await send(served, [method, path], { as, ...(body === undefined ? {} : { body }) })
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}

/** What the export of a conversation holds, as it is downloaded. */
async function exported(as: Credentials, conversationId: string, format: string): Promise<string> {
  const path = `${served.url}/api/v1/conversations/${conversationId}/export?format=${format}`
  const answer = await fetch(path, { headers: { ...as } })
  expect(answer.status).toBe(200)
  return answer.text()
}

/** A conversation with the shared agent in which one message was answered, and what the model was asked then. */
async function talk(as: Credentials): Promise<{ readonly id: string; readonly asked: string }> {
  const { id } = (await ask(as, 'POST', '/conversations', { commandId: 'talk', agentId })) as { id: string }
  const before = served.model.requests.length
  served.model.say('Hello')
  served.model.end()
  const content = [{ type: 'text', text: 'What do you know of me?' }]
  await ask(as, 'POST', `/conversations/${id}/inputs`, { commandId: 'ask', content, lane: 'turn' })
  const types = async () =>
    (await served.store.read({ conversationId: id, after: 0, limit: 100 })).entries.map(({ type }) => type)
  await expect.poll(types).toContain('run-finished')
  expect(served.model.requests).toHaveLength(before + 1)
  return { id, asked: JSON.stringify(served.model.requests.at(-1)) }
}

beforeAll(async () => {
  served = await serve({ webRoot: null, withAccounts: true })
  ada = await setUp(served)
  grace = await addUser(served, ada, { email: 'grace@example.org', role: 'user' })
  const agent = { name: 'Shared', settings: { instructions: 'You are shared' }, sharing: { type: 'everyone' } }
  agentId = ((await ask(ada, 'POST', '/agents', agent)) as { id: string }).id
  for (const [as, secret] of [[ada, SECRET_OF.ada] as const, [grace, SECRET_OF.grace] as const]) {
    await ask(as, 'POST', '/memories', { text: `${secret} for every agent` })
    await ask(as, 'POST', '/memories', { text: `${secret} for the shared one`, agentId, isPinned: true })
  }
})

afterAll(() => served.close())

test('[SEC1, AGENT4] what one user of a shared agent told it reaches no other: not by the API, a prompt, an export or the search', async () => {
  const [hers, his] = [await talk(grace), await talk(ada)]
  expect(hers.asked).toContain(`${SECRET_OF.grace} for the shared one`)
  expect(his.asked).toContain(`${SECRET_OF.ada} for the shared one`)
  expect(hers.asked).not.toContain(SECRET_OF.ada)
  expect(his.asked).not.toContain(SECRET_OF.grace)

  const sides = [
    { as: grace, id: hers.id, own: SECRET_OF.grace, foreign: SECRET_OF.ada },
    { as: ada, id: his.id, own: SECRET_OF.ada, foreign: SECRET_OF.grace },
  ]
  for (const { as, id, own, foreign } of sides) {
    const mine = JSON.stringify(await ask(as, 'GET', '/memories'))
    expect(mine).toContain(own)
    const texts = [
      mine,
      JSON.stringify(await ask(as, 'GET', `/memories?query=${foreign}`)),
      JSON.stringify(await ask(as, 'GET', `/memories?agentId=${agentId}`)),
      JSON.stringify(await ask(as, 'GET', `/agents/${agentId}`)),
      JSON.stringify(await ask(as, 'GET', `/search?q=${foreign}`)),
      JSON.stringify(await ask(as, 'GET', `/conversations/${id}/entries?after=0&limit=100`)),
      JSON.stringify(await ask(as, 'POST', `/conversations/${id}/request`, { content: [] })),
      ...(await Promise.all(['json', 'md', 'html'].map((format) => exported(as, id, format)))),
    ]
    for (const text of texts) expect(text).not.toContain(`${foreign} for`)
  }
})

test('[SEC1] a memory of another is neither read, changed nor deleted by its id, not by an admin either', async () => {
  const { memories } = (await ask(grace, 'GET', '/memories')) as { memories: { memoryId: string }[] }
  for (const { memoryId } of memories) {
    const change = { as: ada, body: { text: 'Mine now' } }
    expect((await send(served, ['PATCH', `/memories/${memoryId}`], change)).status).toBe(404)
    expect((await send(served, ['DELETE', `/memories/${memoryId}`], { as: ada })).status).toBe(404)
  }
  await ask(ada, 'DELETE', '/memories')
  expect(await ask(grace, 'GET', '/memories')).toMatchObject({ totalCount: 2 })
})
