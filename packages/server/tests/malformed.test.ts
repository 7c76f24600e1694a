import { API_PATH, PROTOCOL_VERSION, type Route, routes } from '@holdfast/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandFields } from './support/command-frames.ts'
import { type Choices, choicesOf, malformedName, malformedText } from './support/malform.ts'
import { bodies } from './support/route-bodies.ts'
import { type Served, serve, TOKEN } from './support/serve.ts'
import { connect, greet } from './support/socket-client.ts'

const COUNT = process.env['HOLDFAST_FULL'] === '1' ? 20_000 : 1_000
const SEED = Number(process.env['HOLDFAST_SEED'] ?? (COUNT === 1_000 ? 1 : Date.now() % 1_000_000))
const LIMIT_MS = COUNT * 30

/** Two of three are requests, the rest frames. */
const REQUESTS = Math.ceil((COUNT * 2) / 3)

let served: Served

beforeAll(async () => {
  served = await serve({ webRoot: null })
})

afterAll(async () => {
  await served.close()
})

const table = Object.entries<Route>(routes)

async function sendMalformed(choices: Choices, conversationId: string): Promise<string | null> {
  const [name, route] = choices.one(table)
  const path = route.path.replace(/:(\w+)/g, (_, parameter: string) =>
    parameter === 'id' && choices.below(3) > 0 ? conversationId : malformedName(choices),
  )
  const query = choices.below(3) === 0 ? `?limit=${malformedName(choices)}&after=${malformedName(choices)}` : ''
  const hasBody = route.method !== 'GET'
  const type = choices.one([
    'application/json',
    'application/json',
    'application/json',
    'text/plain',
    'multipart/form-data',
    '',
  ])
  const answer = await fetch(served.url + API_PATH + path + query, {
    method: route.method,
    headers: { authorization: `Bearer ${TOKEN}`, ...(hasBody && type !== '' ? { 'content-type': type } : {}) },
    ...(hasBody ? { body: malformedText(bodies[name] ?? { commandId: 'command' }, choices) } : {}),
  })
  await answer.body?.cancel()
  return answer.status >= 500 && answer.status !== 503
    ? `${route.method} ${path}${query} is answered ${answer.status}`
    : null
}

test(
  `[SEC5] outlives ${REQUESTS} malformed requests, each with an answer that is no failure (seed ${SEED})`,
  async () => {
    const choices = choicesOf(SEED)
    const failures: string[] = []
    for (let count = 0; count < REQUESTS; count += 8) {
      const conversationId = await served.newConversation()
      const asked = Array.from({ length: 8 }, () => sendMalformed(choices, conversationId))
      failures.push(...(await Promise.all(asked)).filter((failure) => failure !== null))
    }
    expect(failures).toEqual([])
    expect((await served.call('GET', `${API_PATH}/health`)).status).toBe(200)
  },
  LIMIT_MS,
)

test(
  `[SEC5] outlives ${COUNT - REQUESTS} malformed frames, and answers or closes (seed ${SEED})`,
  async () => {
    const choices = choicesOf(SEED + 1)
    const conversationId = await served.newConversation()
    const frames = [
      { type: 'hello', protocol: PROTOCOL_VERSION, clientId: 'tab' },
      { type: 'follow', conversationId, after: 0 },
      ...Object.entries(commandFields).map(([name, fields]) => {
        return { type: 'command', name, commandId: 'command', conversationId, ...fields }
      }),
    ]
    let client = await greet(served)
    for (let count = 0; count < COUNT - REQUESTS; count += 1) {
      client.send(malformedText(choices.one(frames), choices))
      client.send({ type: 'ping' })
      const next = await Promise.race([client.next('pong'), client.closed])
      if (typeof next !== 'number') continue
      expect([4400, 4409, 1007]).toContain(next)
      client = choices.below(2) === 0 ? await greet(served) : await helloLess()
    }
    client.socket.terminate()
    expect((await served.call('GET', `${API_PATH}/health`)).status).toBe(200)
    expect(served.logged.filter((line) => /failed|fault/.test(line))).toEqual([])
  },
  LIMIT_MS,
)

/** A socket that has not said hello; the first ping closes it. */
function helloLess() {
  return connect(served)
}

test('[SEC5] an id with a NUL character, which a database may keep in no text, reaches no store', async () => {
  const id = await served.newConversation()
  const conversation = await served.call('GET', `${API_PATH}/conversations/%00`)
  expect(conversation).toMatchObject({ status: 404, body: { code: 'not-found' } })
  const content = [{ type: 'text', text: 'hello' }]
  for (const commandId of ['a\0', '\0'])
    expect(await served.call('POST', `${API_PATH}/conversations/${id}/inputs`, { commandId, content })).toMatchObject({
      status: 400,
      body: { code: 'bad-request' },
    })
  expect(await served.call('PATCH', `${API_PATH}/users/%00`, { name: 'x' })).toMatchObject({ status: 400 })
})
