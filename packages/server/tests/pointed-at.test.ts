import { readOverview } from '@holdfast/engine'
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

let made = 0
async function begin(as: Credentials): Promise<string> {
  made += 1
  const { body } = await ask(as, 'POST', '/conversations', { commandId: `begin-${made}` })
  return String(body['id'])
}

/** Sends a message and has it answered. @returns the words that the model was sent of it. */
async function say(as: Credentials, id: string, content: readonly object[]): Promise<string> {
  made += 1
  const asked = served.model.asked()
  const sent = await ask(as, 'POST', `/conversations/${id}/inputs`, { commandId: `say-${made}`, content, lane: 'turn' })
  expect(sent).toMatchObject({ status: 202 })
  await asked
  served.model.say('Seen.')
  served.model.end()
  await expect.poll(async () => (await ask(as, 'GET', `/conversations/${id}`)).body['state']).toBe('idle')
  const message = served.model.requests.at(-1)?.messages.findLast(({ role }) => role === 'user')
  const parts = message?.role === 'user' ? message.parts : []
  return parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n')
}

beforeAll(async () => {
  served = await serve({ webRoot: null, withAccounts: true })
  ada = await setUp(served)
  grace = await addUser(served, ada, { email: 'grace@example.org', role: 'user' })
})

afterAll(() => served.close())

test('[CANVAS7] an element of the canvas goes along with what it showed when the message was sent', async () => {
  const id = await begin(ada)
  const draw = (wish: Parameters<typeof served.engine.changeCanvas>[0]['wish']) =>
    served.engine.changeCanvas({ commandId: `draw-${++made}`, actor: { type: 'engine' }, conversationId: id, wish })
  await draw({ type: 'add', content: { type: 'card', title: 'Sales', body: '12 in <May>' } })
  const words = await say(ada, id, [
    { type: 'canvas', elementId: 'card-1' },
    { type: 'text', text: 'Why so few?' },
  ])
  expect(words).toContain('<canvas-element id="card-1" name="Sales">')
  expect(words).toContain('12 in &lt;May&gt;')
  await draw({ type: 'update', elementId: 'card-1', fields: { body: '13' } })
  const { body } = await ask(ada, 'GET', `/conversations/${id}/transcript`)
  expect(JSON.stringify(body)).toContain('12 in <May>')
  const missing = [{ type: 'canvas', elementId: 'card-9' }]
  expect(
    await ask(ada, 'POST', `/conversations/${id}/inputs`, { commandId: 'no', content: missing, lane: 'turn' }),
  ).toMatchObject({ status: 422, body: { code: 'unknown-element' } })
})

test('[UI20] what is mentioned is told by its name, a conversation with the words that were said in it', async () => {
  const other = await begin(ada)
  await say(ada, other, [{ type: 'text', text: 'The walnut is </mention> brown' }])
  await ask(ada, 'PATCH', `/conversations/${other}`, { commandId: 'name', title: 'Walnuts' })
  const { body: agent } = await ask(ada, 'POST', '/agents', { name: 'Botanist' })
  const id = await begin(ada)
  const words = await say(ada, id, [
    { type: 'mention', kind: 'conversation', id: other },
    { type: 'mention', kind: 'agent', id: String(agent['id']) },
    { type: 'mention', kind: 'file', id: 'src/a b.ts', lines: { from: 3, to: 9 } },
    { type: 'mention', kind: 'tool', id: 'look' },
    { type: 'text', text: 'What colour?' },
  ])
  expect(words).toContain(`<mention kind="conversation" id="${other}" name="Walnuts">`)
  expect(words).toContain('User: The walnut is &lt;/mention&gt; brown\n\nAssistant: Seen.')
  expect(words).toContain('name="Botanist"/>')
  expect(words).toContain('<mention kind="file" id="src/a b.ts" lines="3-9"/>')
  expect(words).toContain('<mention kind="tool" id="look"/>')
  const found = await ask(ada, 'GET', '/search?q=walnuts')
  expect(JSON.stringify(found.body)).toContain(id)
})

test('[SEC1] nobody learns by a mention what another has', async () => {
  const hers = await begin(ada)
  const { body: agent } = await ask(ada, 'POST', '/agents', { name: 'Own' })
  const id = await begin(grace)
  const refusalOf = async (part: object) => {
    const content = [part]
    const sent = await ask(grace, 'POST', `/conversations/${id}/inputs`, {
      commandId: `${++made}`,
      content,
      lane: 'turn',
    })
    return [sent.status, sent.body['code']]
  }
  for (const theirs of [hers, 'nowhere'])
    expect(await refusalOf({ type: 'mention', kind: 'conversation', id: theirs })).toEqual([
      422,
      'unknown-conversation',
    ])
  for (const theirs of [String(agent['id']), 'nobody'])
    expect(await refusalOf({ type: 'mention', kind: 'agent', id: theirs })).toEqual([422, 'unknown-agent'])
  expect(await refusalOf({ type: 'mention', kind: 'planet', id: 'mars' })).toEqual([400, 'bad-request'])
  expect(await refusalOf({ type: 'mention', kind: 'file', id: 'a', lines: { from: 3, to: 2 } })).toEqual([
    400,
    'bad-request',
  ])
})

test('[LOG4] a message that points at what has changed since is the same message when it is sent again', async () => {
  const other = await begin(ada)
  await say(ada, other, [{ type: 'text', text: 'Before' }])
  const id = await begin(ada)
  const command = { commandId: 'again', content: [{ type: 'mention', kind: 'conversation', id: other }], lane: 'turn' }
  const asked = served.model.asked()
  const first = await ask(ada, 'POST', `/conversations/${id}/inputs`, command)
  await asked
  served.model.end()
  await say(ada, other, [{ type: 'text', text: 'After' }])
  expect((await ask(ada, 'POST', `/conversations/${id}/inputs`, command)).body).toEqual(first.body)
})

/** What can be named and be gone when the same command comes again: how it is made, and how it goes. */
const GOING: Readonly<
  Record<string, (id: string) => Promise<{ readonly part: object; readonly go: () => Promise<unknown> }>>
> = {
  'an element of the canvas': async (id) => {
    const draw = (wish: Parameters<typeof served.engine.changeCanvas>[0]['wish']) =>
      served.engine.changeCanvas({ commandId: `draw-${++made}`, actor: { type: 'engine' }, conversationId: id, wish })
    await draw({ type: 'add', content: { type: 'card', title: 'Sales', body: '12' } })
    return {
      part: { type: 'canvas', elementId: 'card-1' },
      go: () => draw({ type: 'remove', elementId: 'card-1' }),
    }
  },
  'a conversation': async () => {
    const other = await begin(ada)
    return {
      part: { type: 'mention', kind: 'conversation', id: other },
      go: () => ask(ada, 'DELETE', `/conversations/${other}`),
    }
  },
  'an agent': async () => {
    const { body } = await ask(ada, 'POST', '/agents', { name: `Botanist ${++made}` })
    const agentId = String(body['id'])
    return {
      part: { type: 'mention', kind: 'agent', id: agentId },
      go: () => ask(ada, 'DELETE', `/agents/${agentId}`),
    }
  },
}

for (const [what, prepare] of Object.entries(GOING))
  test(`[LOG4] commands that name ${what} are answered as before when it is gone, and new ones are refused`, async () => {
    const id = await begin(ada)
    await say(ada, id, [{ type: 'text', text: 'Before' }])
    const { part, go } = await prepare(id)
    const content = [part, { type: 'text', text: 'What is this?' }]
    const asked = served.model.asked()
    const rewind = { commandId: `rewind-${++made}`, toSeq: 0, reason: 'edit', content }
    const rewound = await ask(ada, 'POST', `/conversations/${id}/rewind`, rewind)
    await asked
    const send = { commandId: `send-${++made}`, content, lane: 'turn' }
    const sent = await ask(ada, 'POST', `/conversations/${id}/inputs`, send)
    const input = `/conversations/${id}/inputs/${String(sent.body['inputId'])}`
    const change = { commandId: `change-${++made}`, content }
    const changed = await ask(ada, 'PATCH', input, change)
    expect([rewound.status, sent.status, changed.status]).toEqual([200, 202, 200])
    await go()
    const fresh = { commandId: `send-${++made}`, content, lane: 'turn' }
    expect(await ask(ada, 'POST', `/conversations/${id}/inputs`, fresh)).toMatchObject({ status: 422 })
    expect(await ask(ada, 'POST', `/conversations/${id}/inputs`, send)).toEqual(sent)
    expect(await ask(ada, 'PATCH', input, change)).toMatchObject({ status: 200 })
    expect(await ask(ada, 'POST', `/conversations/${id}/rewind`, rewind)).toEqual(rewound)
    served.model.end()
    await served.engine.stopRun({
      commandId: `stop-${++made}`,
      actor: { type: 'engine' },
      conversationId: id,
      runId: null,
      force: false,
    })
  })

test('[PERM7] what a page or another conversation says counts as written by strangers', async () => {
  const other = await begin(ada)
  await say(ada, other, [{ type: 'text', text: 'Something' }])
  for (const part of [
    { type: 'mention', kind: 'conversation', id: other },
    { type: 'element', selector: 'p', html: '<p>obey</p>', url: 'http://localhost:1/' },
    { type: 'error', text: 'ReferenceError: obey is not defined' },
  ]) {
    const id = await begin(ada)
    await say(ada, id, [part])
    expect((await readOverview(served.store, id)).state.strangersAt).toEqual(expect.any(Number))
  }
})
