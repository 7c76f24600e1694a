import { createOpenAI } from '@ai-sdk/openai'
import type { EntryOf } from '@holdfast/conversation'
import { begins, type ScriptLine, says } from '@holdfast/engine/testing'
import { ProviderError } from '@holdfast/provider'
import { generateText, streamText } from 'ai'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod'
import { type ServedChat, serveChat, TOKEN } from './support/served-chat.ts'

let served: ServedChat

afterEach(async () => {
  await served.close()
})

const usage = { inputTokens: 7, cacheReadTokens: 3, cacheCreation5mTokens: 0, cacheCreation1hTokens: 0 }

/** Words, with usage as the provider measured it. */
const measured = (...words: string[]): readonly ScriptLine[] => [
  ...begins(...words),
  { type: 'block-ended', block: 0 },
  { type: 'usage', usage: { ...usage, outputTokens: 5, thinkingTokens: 1 } },
  { type: 'finish', finish: 'end' },
]

const call = (name: string, input: string): readonly ScriptLine[] => [
  { type: 'block-started', block: 0, start: { type: 'tool-call', callId: 'call_1', name } },
  { type: 'block-delta', block: 0, text: input },
  { type: 'block-ended', block: 0 },
  { type: 'finish', finish: 'tool-calls' },
]

const baseUrl = (): string => `${served.url}/api/v1/interop/openai/v1`

/** The model as a client of OpenAI sees it. */
const model = () => createOpenAI({ baseURL: baseUrl(), apiKey: TOKEN }).chat('scripted')

type Sent = readonly { readonly role: string; readonly content: unknown }[]

async function complete(messages: Sent, more: object = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${baseUrl()}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted', messages, ...more }),
    ...(signal ? { signal } : {}),
  })
}

async function conversations() {
  return served.store.listConversations({ ownerId: 'local', archived: false, limit: 10 })
}

/** The log of the only conversation. */
async function onlyLog() {
  const rows = await conversations()
  expect(rows).toHaveLength(1)
  return (await served.store.read({ conversationId: rows[0]?.conversationId ?? '', after: 0, limit: 1_000 })).entries
}

const user = (content: string) => ({ role: 'user', content })
const assistant = (content: string) => ({ role: 'assistant', content })

test('[SYNC1] a client of OpenAI lists the models and is answered, with the usage of the log', async () => {
  served = await serveChat([measured('Hello ', 'world')])
  const listed = await fetch(`${baseUrl()}/models`, { headers: { authorization: `Bearer ${TOKEN}` } })
  expect(await listed.json()).toEqual({
    object: 'list',
    data: [{ id: 'scripted', object: 'model', created: 0, owned_by: 'here' }],
  })
  const answer = await generateText({ model: model(), prompt: 'Hi' })
  expect(answer.text).toBe('Hello world')
  expect(answer.finishReason).toBe('stop')
  expect(answer.usage).toMatchObject({ inputTokens: 10, outputTokens: 5, totalTokens: 15 })
  expect((await onlyLog()).filter(({ type }) => type === 'run-finished')).toMatchObject([{ outcome: 'completed' }])
})

test('[SYNC1] a client of OpenAI reads the answer as it streams, once and whole', async () => {
  served = await serveChat([[...begins('Once ', 'upon '), { type: 'wait' }, ...measured('').slice(1)]])
  const streamed = streamText({ model: model(), prompt: 'Tell' })
  const pieces: string[] = []
  for await (const piece of streamed.textStream) {
    pieces.push(piece)
    if (pieces.join('') === 'Once upon ') served.model.proceed()
  }
  expect(pieces.join('')).toBe('Once upon ')
  expect(await streamed.finishReason).toBe('stop')
  expect(await streamed.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 })
})

test('[PRJ6] what goes on from an answer goes on in its conversation; another form of it sets aside what followed', async () => {
  served = await serveChat([says('first'), says('second'), says('third')])
  await (await complete([{ role: 'system', content: 'Be brief.' }, user('One')])).json()
  const second = await complete([user('One'), assistant(' first\n'), user('Two')])
  const { choices, conversation_id } = (await second.json()) as { choices: unknown; conversation_id: string }
  expect(choices).toMatchObject([{ message: { content: 'second' } }])
  expect(conversation_id).toBe((await conversations())[0]?.conversationId)
  expect(await (await complete([user('One'), assistant('first'), user('Other')])).json()).toMatchObject({
    choices: [{ message: { content: 'third' } }],
  })
  const log = await onlyLog()
  expect(log.filter(({ type }) => type === 'path-rewound')).toMatchObject([{ reason: 'edit', setAsideCount: 2 }])
  const last = JSON.stringify(served.model.requests.at(-1))
  expect(last).toContain('Be brief.')
  expect(last).toContain('One')
  expect(last).not.toContain('Two')
})

test('[LOG9] what names a history goes with its conversation, and with words of it that are erased', async () => {
  served = await serveChat([says('first'), says('second')])
  const schema = z.object({ places: z.array(z.object({ inputId: z.string() })) })
  const threads = () => served.records.list({ kind: 'openai-thread', schema }, { ownerId: 'local', limit: 10 })
  await (await complete([user('One')])).json()
  const [one] = await conversations()
  expect(await threads()).toHaveLength(1)
  const message = (await onlyLog()).find(({ type }) => type === 'user-message-sent')
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const path = `${served.url}/api/v1/conversations/${one?.conversationId}`
  const body = JSON.stringify({ seqs: [message?.seq], results: false, reason: 'private', dryRun: false })
  expect((await fetch(`${path}/erase`, { method: 'POST', headers, body })).status).toBe(200)
  expect(await threads()).toEqual([])
  await (await complete([user('Two')])).json()
  expect(await threads()).toHaveLength(1)
  const ids = (await conversations()).map(({ conversationId }) => conversationId)
  const { authorization } = headers
  for (const id of ids)
    await fetch(`${served.url}/api/v1/conversations/${id}`, { method: 'DELETE', headers: { authorization } })
  expect(await threads()).toEqual([])
})

test('[SYNC1] what a client says was answered is not believed, unless it names its conversation, and then it is not read', async () => {
  served = await serveChat([says('first'), says('second')])
  await (await complete([user('One')])).json()
  const planted = [user('One'), assistant('a planted word'), user('Two')]
  const refused = await complete(planted)
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('conversation_id') } })
  const named = await complete(planted, { metadata: { conversation_id: 'mine' } })
  expect(await named.json()).toMatchObject({ conversation_id: 'mine', choices: [{ message: { content: 'second' } }] })
  expect(JSON.stringify(served.model.requests)).not.toContain('a planted word')
})

test('[LOG4] the same idempotency key asks once', async () => {
  served = await serveChat([says('only once')])
  const ask = () =>
    fetch(`${baseUrl()}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', 'idempotency-key': 'key_1' },
      body: JSON.stringify({ model: 'scripted', messages: [user('Hi')] }),
    })
  for (const answer of [await ask(), await ask()])
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'only once' } }] })
  expect((await onlyLog()).filter(({ type }) => type === 'input-admitted')).toHaveLength(1)
})

test.each([[true], [false]])(
  '[STOP10] a client of OpenAI that leaves stops its answer (streamed: %s)',
  async (stream) => {
    served = await serveChat([[...begins('Once ', 'upon'), { type: 'wait' }]])
    const leaving = new AbortController()
    const answer = complete([user('Tell')], { stream }, leaving.signal)
    if (stream) await (await answer).body?.getReader().read()
    await expect.poll(async () => served.model.requests.length, { timeout: 10_000 }).toBe(1)
    leaving.abort()
    await answer.catch(() => {})
    await expect
      .poll(async () => (await onlyLog()).some(({ type }) => type === 'stop-requested'), { timeout: 10_000 })
      .toBe(true)
    served.model.proceed()
    await expect
      .poll(async () => (await onlyLog()).find(({ type }) => type === 'run-finished'), { timeout: 10_000 })
      .toMatchObject({ outcome: 'stopped' })
  },
)

test('[PERM3] what would ask is denied, for nobody can be asked, and tools of the server run', async () => {
  served = await serveChat([call('paint', '{"colour":"red"}'), call('look', '{"place":"sea"}'), says('It is green.')])
  const answer = await complete([user('Paint it')])
  expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'It is green.' } }] })
  const log = await onlyLog()
  const settled = log.filter(
    (entry): entry is EntryOf<'tool-call-settled'> & typeof entry => entry.type === 'tool-call-settled',
  )
  expect(settled.map(({ outcome }) => outcome)).toEqual(['denied', 'ok'])
})

test('[RUN9] a turn that failed is an error with its words, streamed or not', async () => {
  const failing: readonly ScriptLine[] = [
    { type: 'throw', error: new ProviderError('bad-request', 'the model says no', {}) },
  ]
  served = await serveChat([failing, failing])
  const whole = await complete([user('Hi')])
  expect(whole.status).toBe(503)
  expect(await whole.json()).toMatchObject({ error: { message: 'the model says no', type: 'server_error' } })
  const streamed = await (await complete([user('Ho')], { stream: true })).text()
  expect(streamed).toContain('"error":{"message":"the model says no"')
  expect(streamed.endsWith('data: [DONE]\n\n')).toBe(true)
})

test.each([
  ['tools', { tools: [{ type: 'function', function: { name: 'x' } }] }, 'Tools run at this server'],
  ['several answers', { n: 2 }, 'One answer'],
  ['a form of answer', { response_format: { type: 'json_object' } }, 'Answers are text'],
  ['no model', { model: 'none' }, 'There is no model none'],
  ['nothing to answer', { messages: [assistant('x')] }, 'nothing to answer'],
  ['a result of a call', { messages: [{ role: 'tool', content: 'x' }, user('y')] }, 'Tools run at this server'],
  [
    'a picture',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
    'image_url',
  ],
])('[SEC5] %s is refused with what to do', async (_name, more, words) => {
  served = await serveChat([says('never')])
  const answer = await complete([user('Hi')], more)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining(words) } })
  expect(await conversations()).toEqual([])
})

test('[RUN13] what is not looked at is named, and a wrong key is refused as OpenAI refuses it', async () => {
  served = await serveChat([says('ok')])
  const answer = await complete([user('Hi')], { temperature: 0.2, top_p: 1 })
  expect(answer.headers.get('x-holdfast-ignored')).toBe('temperature, top_p')
  const wrong = await fetch(`${baseUrl()}/models`, { headers: { authorization: 'Bearer wrong' } })
  expect(wrong.status).toBe(401)
  expect(await wrong.json()).toMatchObject({ code: 'unauthorized', error: { type: 'invalid_request_error' } })
})
