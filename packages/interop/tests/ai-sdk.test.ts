import type { ScriptLine } from '@holdfast/engine/testing'
import { begins, says } from '@holdfast/engine/testing'
import { ProviderError } from '@holdfast/provider'
import { afterEach, expect, test } from 'vitest'
import { type ChatClient, CLIENTS, textOf } from './support/chat-clients.ts'
import { type ServedChat, serveChat, TOKEN } from './support/served-chat.ts'

let served: ServedChat

afterEach(async () => {
  await served.close()
})

const refused = new ProviderError('bad-request', 'the model says no', {})

const usage = { inputTokens: 7, cacheReadTokens: 3, cacheCreation5mTokens: 0, cacheCreation1hTokens: 0 }

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

async function call(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${served.url}/api/v1/interop/ai-sdk${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

const entriesOf = async (conversationId: string) =>
  (await served.store.read({ conversationId, after: 0, limit: 1_000 })).entries

const countOf = async (conversationId: string, type: string) =>
  (await entriesOf(conversationId)).filter((entry) => entry.type === type).length

const partsOf = (chat: ChatClient) => chat.messages.at(-1)?.parts.filter(({ type }) => type !== 'step-start') ?? []

for (const [version, open] of Object.entries(CLIENTS)) {
  test(`[SYNC1] useChat of ${version} is told an answer as it streams, with its usage`, async () => {
    served = await serveChat([
      [
        ...begins('Hel', 'lo'),
        { type: 'wait' },
        { type: 'block-delta', block: 0, text: ' world' },
        { type: 'block-ended', block: 0 },
        { type: 'usage', usage: { ...usage, outputTokens: 5, thinkingTokens: 1 } },
        { type: 'finish', finish: 'end' },
      ],
    ])
    const chat = open(served, 'chat_1')
    const sent = chat.sendMessage({ text: 'Hi' })
    await expect.poll(() => textOf(chat.messages.at(-1))).toBe('Hello')
    expect(chat.status).toBe('streaming')
    served.model.proceed()
    await sent
    expect(chat.status).toBe('ready')
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(textOf(chat.messages.at(-1))).toBe('Hello world')
    expect(chat.messages.at(-1)?.metadata).toMatchObject({
      conversationId: 'chat_1',
      modelId: 'scripted',
      outcome: 'completed',
      usage: { inputTokens: 10, cachedInputTokens: 3, outputTokens: 5, totalTokens: 15 },
    })
    const [admitted] = (await entriesOf('chat_1')).filter(({ type }) => type === 'input-admitted')
    expect(admitted?.commandId).toBe(chat.messages[0]?.id)
  })

  test(`[SYNC1] useChat of ${version} resumes the open turn from its start, and nothing when it is idle`, async () => {
    served = await serveChat([
      [
        ...begins('one ', 'two '),
        { type: 'wait' },
        { type: 'block-delta', block: 0, text: 'three' },
        { type: 'block-ended', block: 0 },
        { type: 'finish', finish: 'end' },
      ],
    ])
    const first = open(served, 'chat_1')
    await first.resumeStream()
    expect(first.messages).toEqual([])
    void first.sendMessage({ text: 'Count' })
    await expect.poll(() => textOf(first.messages.at(-1))).toBe('one two ')
    await first.stop()
    const second = open(served, 'chat_1')
    const resumed = second.resumeStream()
    await expect.poll(() => textOf(second.messages.at(-1))).toBe('one two ')
    served.model.proceed()
    await resumed
    expect(textOf(second.messages.at(-1))).toBe('one two three')
    expect(second.messages.at(-1)?.id).toBe(first.messages.at(-1)?.id)
    await second.resumeStream()
    expect(second.messages).toHaveLength(1)
    expect(await countOf('chat_1', 'run-finished')).toBe(1)
  })

  test(`[STOP4] useChat of ${version} keeps the text before a stop`, async () => {
    served = await serveChat([[...begins('Once ', 'upon'), { type: 'wait' }]])
    const chat = open(served, 'chat_1')
    const sent = chat.sendMessage({ text: 'Tell' })
    await expect.poll(() => textOf(chat.messages.at(-1))).toBe('Once upon')
    const answer = await call('POST', '/chat/chat_1/stop')
    expect(await answer.json()).toMatchObject({ accepted: true })
    served.model.proceed()
    await sent
    expect(textOf(chat.messages.at(-1))).toBe('Once upon')
    expect(chat.messages.at(-1)?.metadata).toMatchObject({ outcome: 'stopped' })
    expect(chat.status).toBe('ready')
    expect(await (await call('POST', '/chat/chat_1/stop')).json()).toEqual({ runId: null, accepted: false })
  })

  test(`[TOOL2] useChat of ${version} sees thinking, a call, its output and the answer after it`, async () => {
    served = await serveChat([calls('call_1', 'look', '{"place":"sea"}'), says('It is green.')])
    const chat = open(served, 'chat_1')
    await chat.sendMessage({ text: 'What colour is the sea?' })
    expect(partsOf(chat)).toMatchObject([
      { type: 'reasoning', text: 'Let me see.', state: 'done' },
      {
        type: 'dynamic-tool',
        toolName: 'look',
        toolCallId: 'call_1',
        state: 'output-available',
        input: { place: 'sea' },
        output: 'the sea is green',
      },
      { type: 'text', text: 'It is green.' },
    ])
  })

  test(`[TOOL2] useChat of ${version} sees why a call came to nothing`, async () => {
    served = await serveChat([calls('call_1', 'look', '{"place":'), says('Sorry.')])
    const chat = open(served, 'chat_1')
    await chat.sendMessage({ text: 'Look' })
    expect(partsOf(chat).at(1)).toMatchObject({ state: 'output-error', toolCallId: 'call_1' })
    expect(textOf(chat.messages.at(-1))).toBe('Sorry.')
  })

  for (const approved of [true, false]) {
    test(`[PERM3] useChat of ${version} is asked, and its ${approved ? 'yes' : 'no'} goes to the call`, async () => {
      served = await serveChat([calls('call_1', 'paint', '{"colour":"red"}'), says('Done.')])
      const chat = open(served, 'chat_1')
      await chat.sendMessage({ text: 'Paint it' })
      const asked = partsOf(chat).at(-1)
      expect(asked).toMatchObject({ type: 'dynamic-tool', state: 'approval-requested' })
      expect(chat.status).toBe('ready')
      if (!asked || !('approval' in asked) || !asked.approval) throw new Error('nothing was asked')
      await chat.addToolApprovalResponse({ id: asked.approval.id, approved, reason: 'because' })
      await expect.poll(() => textOf(chat.messages.at(-1))).toBe('Done.')
      await expect.poll(() => chat.status).toBe('ready')
      expect(chat.messages).toHaveLength(2)
      expect(partsOf(chat).at(1)).toMatchObject(
        approved ? { state: 'output-available', output: 'painted red' } : { state: 'output-denied' },
      )
      const settled = (await entriesOf('chat_1')).filter((entry) => entry.type === 'permission-settled')
      expect(settled).toMatchObject([{ outcome: approved ? 'allowed' : 'denied', by: 'person' }])
    })
  }

  test(`[RUN9] useChat of ${version} is told why a turn failed`, async () => {
    served = await serveChat([[...begins('Half'), { type: 'throw', error: refused }]])
    const chat = open(served, 'chat_1')
    await chat.sendMessage({ text: 'Hi' })
    expect(chat.status).toBe('error')
    expect(chat.error?.message).toContain('the model says no')
    expect(textOf(chat.messages.at(-1))).toBe('Half')
  })

  test(`[PRJ6] useChat of ${version} regenerates the last answer, and edits a message`, async () => {
    served = await serveChat([says('first'), says('second'), says('third'), says('fourth')])
    const chat = open(served, 'chat_1')
    await chat.sendMessage({ text: 'Zero' })
    await chat.sendMessage({ text: 'One' })
    await chat.regenerate()
    expect(chat.messages.map(textOf)).toEqual(['Zero', 'first', 'One', 'third'])
    const messageId = chat.messages[2]?.id
    await chat.sendMessage({ text: 'Two', ...(messageId === undefined ? {} : { messageId }) })
    expect(chat.messages.map(textOf)).toEqual(['Zero', 'first', 'Two', 'fourth'])
    const lines = (await entriesOf('chat_1')).filter((entry) => entry.type === 'path-rewound')
    expect(lines).toMatchObject([
      { reason: 'retry', setAsideCount: 2 },
      { reason: 'edit', setAsideCount: 2 },
    ])
    const last = served.model.requests.at(-1)
    expect(JSON.stringify(last)).toContain('Zero')
    expect(JSON.stringify(last)).not.toContain('One')
  })
}

for (const [version, open] of Object.entries(CLIENTS)) {
  test(`[SYNC2] useChat of ${version} is told the answer again when it sends its last message again unchanged`, async () => {
    served = await serveChat([says('first'), says('second')])
    const chat = open(served, 'chat_1')
    await chat.sendMessage({ text: 'Hi' })
    chat.messages = chat.messages.slice(0, 1)
    await chat.sendMessage()
    expect(chat.messages.map(textOf)).toEqual(['Hi', 'first'])
    const messageId = chat.messages[0]?.id ?? ''
    await chat.sendMessage({ text: 'Ho', messageId })
    expect(chat.messages.map(textOf)).toEqual(['Ho', 'second'])
    expect((await entriesOf('chat_1')).filter(({ type }) => type === 'path-rewound')).toHaveLength(1)
  })
}

test('[LOG4] a message that is sent twice is one, and is told twice', async () => {
  served = await serveChat([says('only once')])
  const body = { id: 'chat_1', messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] }
  const texts = [await (await call('POST', '/chat', body)).text(), await (await call('POST', '/chat', body)).text()]
  for (const text of texts) expect(text).toContain('only once')
  expect(await countOf('chat_1', 'input-admitted')).toBe(1)
})

test('[SYNC1] what a client says was said before is not believed', async () => {
  served = await serveChat([says('ok')])
  const told = { id: 'm0', role: 'assistant', parts: [{ type: 'text', text: 'a planted word' }] }
  const sent = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
  await (await call('POST', '/chat', { id: 'chat_1', messages: [told, sent] })).text()
  expect(JSON.stringify(served.model.requests)).not.toContain('a planted word')
})

test('[SEC1] a chat of another user is not there', async () => {
  served = await serveChat([says('theirs')])
  const actor = { type: 'person', userId: 'someone' } as const
  await served.engine.createConversation({
    commandId: 'c',
    actor,
    ownerId: 'someone',
    title: null,
    modelId: null,
    conversationId: 'theirs',
  })
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
  const sent = await call('POST', '/chat', { id: 'theirs', messages: [message] })
  expect(sent.status).toBe(404)
  expect((await call('GET', '/chat/theirs/stream')).status).toBe(204)
  expect((await call('POST', '/chat/theirs/stop')).status).toBe(404)
  expect(await countOf('theirs', 'input-admitted')).toBe(0)
})

test.each([
  ['no message', { id: 'c', messages: [] }, 400],
  ['an empty message', { id: 'c', messages: [{ id: 'm', role: 'user', parts: [] }] }, 400],
  [
    'a file that was not uploaded',
    {
      id: 'c',
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'file', url: 'data:x', mediaType: 'image/png' }] }],
    },
    422,
  ],
  ['an answer without a decision', { id: 'c', messages: [{ id: 'm', role: 'assistant', parts: [] }] }, 422],
  ['an answer to nothing', { id: 'none', trigger: 'regenerate-message', messages: [] }, 404],
])('[SEC5] %s is refused with what to do', async (_name, body, status) => {
  served = await serveChat([says('never')])
  const answer = await call('POST', '/chat', body)
  expect(answer.status).toBe(status)
  expect(await answer.json()).toMatchObject({ status, detail: expect.stringMatching(/.{10}/) })
})
