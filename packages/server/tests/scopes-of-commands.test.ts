import { overview } from '@holdfast/conversation'
import { API_PATH, type CommandPlace, commands, type ModelsAnswer, ServerFrame, SOCKET_PATH } from '@holdfast/protocol'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { commandFields } from './support/command-frames.ts'
import { type Credentials, makeKey, send, setUp } from './support/people.ts'
import { type Served, serve } from './support/serve.ts'

const MANY = { max: 1_000_000, windowMs: 60_000 }

const KEYS = [['read'], ['chat'], ['tools'], ['admin'], ['read', 'chat'], ['read', 'tools'], ['chat', 'tools']] as const

type Way = 'socket' | 'route' | 'ai-sdk' | 'openai'

/** One thing that is asked for, in the form of each way on which it can be asked for. */
interface Attempt {
  readonly title: string
  /** What a key needs for it, beside what opens the way. */
  readonly needs: 'chat' | 'tools'
  readonly ways: Readonly<Partial<Record<Way, (conversationId: string, as: Credentials) => Promise<number>>>>
}

let served: Served
let owner: Credentials
const keys = new Map<readonly string[], Credentials>()
/** Here a call waits for its owner, and nothing that is refused may change that. */
let guarded = ''
let requestId = ''
/** Here everything may happen. */
let scratch = ''
let counter = 0

beforeAll(async () => {
  served = await serve({
    webRoot: null,
    withAccounts: true,
    models: listed,
    rateLimits: { api: MANY, signIn: MANY, account: MANY },
  })
  owner = await setUp(served)
  for (const scopes of KEYS) keys.set(scopes, (await makeKey(served, owner, scopes)).bearer)
  guarded = await newConversation()
  scratch = await newConversation()
  const content = [{ type: 'text', text: 'Look' }]
  await send(served, ['POST', `/conversations/${guarded}/inputs`], { as: owner, body: { commandId: 'ask', content } })
  await served.model.asked()
  served.model.call('look', { path: 'a' })
  await vi.waitFor(async () => expect((await state()).pendingPermissions).toHaveLength(1))
  requestId = (await state()).pendingPermissions[0]?.requestId ?? ''
})

afterAll(() => served.close())

async function newConversation(): Promise<string> {
  counter += 1
  const { body } = await send(served, ['POST', '/conversations'], {
    as: owner,
    body: { commandId: `make_${counter}`, modelId: 'scripted' },
  })
  return String((body as { id: string }).id)
}

async function state() {
  const { entries } = await served.store.read({ conversationId: guarded, after: 0, limit: 500 })
  return overview.reduce(overview.initial, entries)
}

/** The status of an answer, of which no more is read. */
async function statusOf(method: string, path: string, { as, body }: { as: Credentials; body?: object }) {
  const answer = await fetch(served.url + API_PATH + path, {
    method,
    headers: { origin: served.url, ...as, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  await answer.body?.cancel()
  return answer.status
}

/** The status of what a frame is refused with; 200 for one that is accepted. */
async function statusOfFrame(frame: object, as: Credentials): Promise<number> {
  const socket = new WebSocket(served.url.replace('http', 'ws') + SOCKET_PATH, {
    headers: { origin: served.url, ...as },
  })
  try {
    return await new Promise((resolve, reject) => {
      socket.on('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode))
      socket.on('error', reject)
      socket.on('open', () => {
        socket.send(JSON.stringify({ type: 'hello', protocol: 1, clientId: 'tab' }))
        socket.send(JSON.stringify(frame))
      })
      socket.on('message', (data: Buffer) => {
        const received = ServerFrame.parse(JSON.parse(data.toString()))
        if (received.type === 'accepted') resolve(200)
        if (received.type === 'refused') resolve(received.problem.status)
      })
    })
  } finally {
    socket.removeAllListeners().on('error', () => {})
    socket.terminate()
  }
}

/** A command as its route takes it. */
async function statusOfRoute(place: CommandPlace, fields: Readonly<Record<string, unknown>>, as: Credentials) {
  const body: Record<string, unknown> = { ...fields }
  const path = place.path.replaceAll(/:(\w+)/g, (_, parameter: string) => {
    const field = parameter === 'id' ? 'conversationId' : (place.names?.[parameter] ?? parameter)
    const value = String(body[field])
    delete body[field]
    return value
  })
  if (place.method !== 'DELETE') return statusOf(place.method, path, { as, body })
  return statusOf(place.method, `${path}?commandId=${String(body['commandId'])}`, { as })
}

const byName = new Map(Object.values(commands).map((command) => [command.frame.shape.name.value, command]))
const NEEDS_TOOLS: ReadonlySet<string> = new Set([
  'answer-permission',
  'answer-question',
  'revoke-rule',
  'add-rule',
  'switch-auto-fix',
])

function commandAttempt(name: string, fields: object, needs: Attempt['needs']): Attempt {
  const place = byName.get(name as keyof typeof commandFields)?.place ?? null
  const asked = (conversationId: string) => {
    counter += 1
    const about = name === 'create-conversation' ? {} : { conversationId }
    return { commandId: `attempt_${counter}`, ...about, ...fields }
  }
  return {
    title: `${name} ${JSON.stringify(fields)}`,
    needs,
    ways: {
      socket: (id, as) => statusOfFrame({ type: 'command', name, ...asked(id) }, as),
      ...(place === null ? {} : { route: (id, as) => statusOfRoute(place, asked(id), as) }),
    },
  }
}

/** What `useChat` sends about a call that waits. */
function approval(conversationId: string, approved: boolean) {
  const approvalPart = { id: requestId, approved }
  const part = { type: 'tool-look', toolCallId: 'c', state: 'approval-responded', approval: approvalPart }
  return { id: conversationId, messages: [{ id: 'm', role: 'assistant', parts: [part] }] }
}

const chatPath = '/interop/ai-sdk/chat'

function userMessage(conversationId: string) {
  counter += 1
  const parts = [{ type: 'text', text: 'hello' }]
  return { id: conversationId, messages: [{ id: `message_${counter}`, role: 'user', parts }] }
}

const ATTEMPTS: readonly Attempt[] = [
  ...Object.entries(commandFields)
    .filter(([name]) => name !== 'change-settings')
    .map(([name, fields]) => commandAttempt(name, fields, NEEDS_TOOLS.has(name) ? 'tools' : 'chat')),
  commandAttempt('create-conversation', {}, 'chat'),
  commandAttempt('create-conversation', { agentId: 'agent_none' }, 'tools'),
  commandAttempt('create-conversation', { settings: { thinking: 'off' } }, 'chat'),
  commandAttempt('create-conversation', { settings: { permissionMode: 'plan' } }, 'tools'),
  ...(['change-settings', 'change-conversation'] as const).flatMap((name) => [
    commandAttempt(name, { settings: { instructions: 'Be brief' } }, 'chat'),
    commandAttempt(name, { settings: { budgetUsd: 1_000 } }, 'tools'),
    commandAttempt(name, { settings: { budgetUsd: null } }, 'tools'),
    commandAttempt(name, { settings: { permissionMode: 'bypass' } }, 'tools'),
  ]),
  {
    title: 'a message of a foreign client',
    needs: 'chat',
    ways: {
      'ai-sdk': (id, as) => statusOf('POST', chatPath, { as, body: userMessage(id) }),
      openai: (id, as) => {
        const messages = [{ role: 'user', content: 'hello' }]
        const body = { model: 'scripted', messages, stream: true, metadata: { conversation_id: id } }
        return statusOf('POST', '/interop/openai/v1/chat/completions', { as, body })
      },
    },
  },
  {
    title: 'another answer for a foreign client',
    needs: 'chat',
    ways: {
      'ai-sdk': (id, as) =>
        statusOf('POST', chatPath, { as, body: { id, messages: [], trigger: 'regenerate-message' } }),
    },
  },
  {
    title: 'a stop of a foreign client',
    needs: 'chat',
    ways: { 'ai-sdk': (id, as) => statusOf('POST', `${chatPath}/${id}/stop`, { as, body: {} }) },
  },
  ...[true, false].map((approved): Attempt => {
    return {
      title: `approval-responded ${approved} of a foreign client`,
      needs: 'tools',
      ways: { 'ai-sdk': (id, as) => statusOf('POST', chatPath, { as, body: approval(id, approved) }) },
    }
  }),
]

const CAPABILITIES = { tools: true, images: null, thinking: null, promptCache: null }
const MODEL = {
  id: 'scripted',
  name: 'Scripted',
  contextWindowTokens: null,
  maxOutputTokens: null,
  price: null,
  capabilities: CAPABILITIES,
}

function listed(): ModelsAnswer {
  const providers = [{ id: 'here', name: 'Here', state: 'ready' as const, problem: null, models: [MODEL] }]
  return {
    defaultModelId: 'scripted',
    permissionMode: 'ask',
    silence: { firstEventMs: 120_000, betweenEventsMs: 300_000 },
    providers,
  }
}

/** What opens a way, before it is known what is asked for. */
function opens(way: Way, { needs, title }: Attempt): string {
  if (way === 'socket') return 'read'
  if (way === 'route' && needs === 'tools' && NEEDS_TOOLS.has(title.split(' ')[0] ?? '')) return 'tools'
  return 'chat'
}

test('[SEC11, PERM3] a key of scope chat answers no request for permission by useChat, and one that may does (ATTACK-C5)', async () => {
  const as = keys.get(KEYS[1]) ?? {}
  expect(await statusOf('POST', chatPath, { as, body: approval(guarded, true) })).toBe(403)
  expect((await state()).pendingPermissions).toMatchObject([{ requestId }])
})

for (const scopes of KEYS) {
  test(`[SEC11, PERM3] a key of ${scopes.join(' and ')} is asked for its scope by what it wants, whichever way it comes (ATTACK-C5)`, async () => {
    const wrong: string[] = []
    const before = (await state()).head
    const as = keys.get(scopes) ?? {}
    const has: readonly string[] = scopes
    for (const attempt of ATTEMPTS) {
      for (const way of ['socket', 'route', 'ai-sdk', 'openai'] as const) {
        const ask = attempt.ways[way]
        if (!ask) continue
        const isLet = has.includes(opens(way, attempt)) && has.includes(attempt.needs)
        const status = await ask(isLet ? scratch : guarded, as)
        if ((status === 403) === isLet || status >= 500) wrong.push(`${attempt.title} by ${way}: ${status}`)
      }
    }
    expect(wrong).toEqual([])
    const after = await state()
    expect(after.head).toBe(before)
    expect(after.pendingPermissions).toMatchObject([{ requestId }])
  })
}

test('[SEC11, PERM3] a key of chat and tools answers by useChat what waits', async () => {
  const as = keys.get(KEYS[6]) ?? {}
  expect(await statusOf('POST', chatPath, { as, body: approval(guarded, true) })).toBe(200)
  await vi.waitFor(async () => expect((await state()).pendingPermissions).toEqual([]))
})

test('[SEC11, COST7] a person who is signed in changes a budget', async () => {
  const body = { commandId: 'budget_of_person', settings: { budgetUsd: 3 } }
  expect(await statusOf('PATCH', `/conversations/${guarded}`, { as: owner, body })).toBe(200)
})

test('[SEC11, PERM6] over a protocol on which nobody can be asked a key of scope chat is denied what asks, and goes on', async () => {
  const other = await serve({ webRoot: null, withAccounts: true, models: listed })
  try {
    const { bearer } = await makeKey(other, await setUp(other), ['chat'])
    const body = { model: 'scripted', messages: [{ role: 'user', content: 'Look once' }] }
    const answered = send(other, ['POST', '/interop/openai/v1/chat/completions'], { as: bearer, body })
    await other.model.asked()
    other.model.call('look', { path: 'b' })
    await vi.waitFor(() => expect(other.model.requests).toHaveLength(2))
    other.model.say('It is denied')
    other.model.end()
    const choices = [{ message: { content: 'It is denied' }, finish_reason: 'stop' }]
    expect(await answered).toMatchObject({ status: 200, body: { choices } })
  } finally {
    await other.close()
  }
})
