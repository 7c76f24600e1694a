import { type BaseEvent, HttpAgent, type Message, verifyEvents } from '@ag-ui/client'
import { EventSchemas } from '@ag-ui/core/schemas'
import { begins, type ScriptLine, says } from '@holdfast/engine/testing'
import { ProviderError } from '@holdfast/provider'
import { from, lastValueFrom, toArray } from 'rxjs'
import { afterEach, expect, test } from 'vitest'
import { type ServedChat, serveChat, TOKEN } from './support/served-chat.ts'

let served: ServedChat

afterEach(async () => {
  await served.close()
})

const headers = () => ({ authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' })
const url = (): string => `${served.url}/api/v1/interop/ag-ui/run`
const user = (id: string, content: string): Message => ({ id, role: 'user', content })

function calls(callId: string, name: string, input: string): readonly ScriptLine[] {
  return [
    { type: 'block-started', block: 0, start: { type: 'thinking' } },
    { type: 'block-delta', block: 0, text: 'Let me see.' },
    { type: 'block-ended', block: 0 },
    { type: 'block-started', block: 1, start: { type: 'tool-call', callId, name } },
    ...[input.slice(0, 5), input.slice(5)].map((text) => ({ type: 'block-delta' as const, block: 1, text })),
    { type: 'block-ended', block: 1 },
    { type: 'finish', finish: 'tool-calls' },
  ]
}

type Told = Readonly<Record<string, unknown>> & { readonly type: string }

/** What a run is told, each event read by the schemas and their order by the verifier of AG-UI. */
async function run(body: object): Promise<readonly Told[]> {
  return readRun(await begin(body))
}

/** Asks for a run; it has begun to be told then. */
async function begin(body: object): Promise<Response> {
  const answered = await fetch(url(), {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify({ runId: 'r', tools: [], context: [], ...body }),
  })
  expect(answered.status).toBe(200)
  return answered
}

async function readRun(answered: Response): Promise<readonly Told[]> {
  const lines = (await answered.text()).split('\n').filter((line) => line.startsWith('data: '))
  const events = lines.map((line): BaseEvent => JSON.parse(line.slice(6)))
  for (const event of events) EventSchemas.parse(event)
  return lastValueFrom(from(events).pipe(verifyEvents(), toArray()))
}

const typesOf = (events: readonly Told[]) => events.map(({ type }) => type)
const textOf = (events: readonly Told[]) =>
  events.flatMap(({ type, delta }) => (type === 'TEXT_MESSAGE_CONTENT' ? [delta] : [])).join('')

test('[SYNC1] the client of AG-UI is told an answer as it streams, in the order that its verifier wants', async () => {
  served = await serveChat([says('Hello ', 'world')])
  const { authorization } = headers()
  const agent = new HttpAgent({
    url: url(),
    headers: { authorization },
    threadId: 'thread-1',
    initialMessages: [user('m1', 'Hi')],
  })
  const { newMessages } = await agent.runAgent({ runId: 'run-1' })
  expect(newMessages).toMatchObject([{ role: 'assistant', content: 'Hello world' }])
  const { entries } = await served.store.read({ conversationId: 'thread-1', after: 0, limit: 100 })
  expect(entries.filter(({ type }) => type === 'run-finished')).toMatchObject([{ outcome: 'completed' }])
})

test('[SYNC2] the same message sent again is one message, and its turn is told again from its start', async () => {
  served = await serveChat([says('Only once')])
  const body = { threadId: 't', messages: [user('m1', 'Hi')] }
  const first = await run(body)
  expect(textOf(first)).toBe('Only once')
  expect(await run(body)).toEqual(first)
  expect(first[0]).toMatchObject({ type: 'RUN_STARTED', threadId: 't', runId: 'r' })
  expect(first.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
})

test('[SYNC1] thinking, a call, its input and its result are told', async () => {
  served = await serveChat([calls('call_1', 'look', '{"place":"garden"}'), says('Green.')])
  const events = await run({ threadId: 't', messages: [user('m1', 'Look')] })
  expect(typesOf(events)).toEqual([
    ...['RUN_STARTED', 'STEP_STARTED', 'REASONING_START', 'REASONING_MESSAGE_START', 'REASONING_MESSAGE_CONTENT'],
    ...[
      'REASONING_MESSAGE_END',
      'REASONING_END',
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
    ],
    ...['TOOL_CALL_RESULT', 'STEP_FINISHED', 'STEP_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT'],
    ...['TEXT_MESSAGE_END', 'STEP_FINISHED', 'RUN_FINISHED'],
  ])
  const inputs = events.flatMap(({ type, delta }) => (type === 'TOOL_CALL_ARGS' ? [delta] : []))
  expect(inputs.join('')).toBe('{"place":"garden"}')
  expect(events.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({ content: 'the garden is green' })
})

test('[PERM1] a call that waits ends the run with an interrupt, and the run goes on with the answer to it', async () => {
  served = await serveChat([calls('call_1', 'paint', '{"colour":"red"}'), says('Painted.')])
  const events = await run({ threadId: 't', messages: [user('m1', 'Paint')] })
  const end = events.at(-1)
  expect(end).toMatchObject({
    outcome: { type: 'interrupt', interrupts: [{ reason: 'tool_call', toolCallId: 'call_1' }] },
  })
  const [interrupt] = (end as { outcome?: { interrupts?: readonly { id: string }[] } }).outcome?.interrupts ?? []
  const resumed = await run({
    threadId: 't',
    messages: [],
    resume: [{ interruptId: interrupt?.id, status: 'resolved', payload: { approved: true } }],
  })
  expect(textOf(resumed)).toBe('Painted.')
  expect(resumed.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({ content: 'painted red' })
})

test('[PERM1] what is no plain yes is a no', async () => {
  for (const payload of [undefined, {}, { approved: 'true' }, 'yes', { decision: 'deny' }]) {
    served = await serveChat([calls('call_1', 'paint', '{"colour":"red"}'), says('Then not.')])
    const [end] = (await run({ threadId: 't', messages: [user('m1', 'Paint')] })).slice(-1)
    const [interrupt] = (end as { outcome?: { interrupts?: readonly { id: string }[] } }).outcome?.interrupts ?? []
    const resume = [{ interruptId: interrupt?.id, status: 'resolved', ...(payload === undefined ? {} : { payload }) }]
    const resumed = await run({ threadId: 't', messages: [], resume })
    expect(resumed.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({ content: 'The call was denied' })
    await served.close()
  }
  served = await serveChat([])
})

test('[RUN1] a turn that fails is an error, one that is stopped is cancelled', async () => {
  served = await serveChat([
    [{ type: 'throw', error: new ProviderError('bad-request', 'the model says no', {}) }],
    [...begins('Half'), { type: 'wait' }],
  ])
  expect((await run({ threadId: 'a', messages: [user('m1', 'Hi')] })).at(-1)).toMatchObject({ type: 'RUN_ERROR' })
  const running = run({ threadId: 'b', messages: [user('m1', 'Hi')] })
  await expect.poll(() => served.engine.openDraft('b')?.blocks[0]?.text).toBe('Half')
  await fetch(`${served.url}/api/v1/conversations/b/stop`, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify({ commandId: 's' }),
  })
  const events = await running
  expect(textOf(events)).toBe('Half')
  expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } })
})

test('[SYNC2] a client that leaves stops nothing: what runs is told to who comes without a message', async () => {
  served = await serveChat([[...begins('Half'), { type: 'wait' }, ...says(' whole').slice(1)]])
  const left = new AbortController()
  const body = { threadId: 't', runId: 'r', messages: [user('m1', 'Hi')] }
  const asked = fetch(url(), { method: 'POST', headers: headers(), body: JSON.stringify(body), signal: left.signal })
  await expect.poll(() => served.engine.openDraft('t')?.blocks[0]?.text).toBe('Half')
  left.abort()
  await asked.then((answered) => answered.text()).catch(() => null)
  const rest = await begin({ threadId: 't', messages: [] })
  served.model.proceed()
  expect(textOf(await readRun(rest))).toMatch(/^Half whole/)
})

test('[SEC5] what cannot be told is refused in words', async () => {
  served = await serveChat([])
  const refused = async (body: object) => {
    const answered = await fetch(url(), { method: 'POST', headers: headers(), body: JSON.stringify(body) })
    return { status: answered.status, problem: (await answered.json()) as { code: string; detail: string } }
  }
  expect(await refused({ threadId: 't', runId: 'r', messages: [] })).toMatchObject({ status: 404 })
  expect(await refused({ runId: 'r', messages: [] })).toMatchObject({ status: 400 })
  expect(
    await refused({ threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: '' }] }),
  ).toMatchObject({
    status: 400,
    problem: { detail: 'The message has no text and no file' },
  })
  const picture = { type: 'image', source: { type: 'data', value: 'aGk=', mimeType: 'image/png' } }
  const body = { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: [picture] }] }
  expect(await refused(body)).toMatchObject({ status: 422, problem: { code: 'unknown-attachment' } })
})
