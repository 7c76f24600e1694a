import { begins, type ScriptLine, says } from '@holdfast/engine/testing'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type ServedChat, serveChat, TOKEN } from './support/served-chat.ts'

let served: ServedChat
let client: Client

afterEach(async () => {
  await client.close()
  await served.close()
})

const mcpUrl = (): URL => new URL(`${served.url}/api/v1/interop/mcp`)

async function connect(mode: 'auto' | 'legacy' = 'auto'): Promise<void> {
  client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } }
  await client.connect(new StreamableHTTPClientTransport(mcpUrl(), { requestInit }))
}

/** What a tool answers, as data; its words where it failed. */
async function call(name: string, given: Record<string, unknown>) {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: given })
  const [first] = z.array(z.looseObject({ text: z.string().optional() })).parse(content)
  if (isError === true) return { error: first?.text }
  expect(JSON.parse(first?.text ?? '')).toEqual(structuredContent)
  return z.record(z.string(), z.unknown()).parse(structuredContent)
}

const Sent = z.object({ conversation_id: z.string(), handle: z.string() })

async function sendMessage(given: Record<string, unknown>) {
  return Sent.parse(await call('send_message', given))
}

const asksFor = (name: string, input: string): readonly ScriptLine[] => [
  { type: 'block-started', block: 0, start: { type: 'tool-call', callId: 'call_1', name } },
  { type: 'block-delta', block: 0, text: input },
  { type: 'block-ended', block: 0 },
  { type: 'finish', finish: 'tool-calls' },
]

const NAMES = [
  'list_conversations',
  'read_conversation',
  'search_conversations',
  'send_message',
  'stop',
  'wait_for_answer',
]

describe.each(['auto', 'legacy'] as const)('a client of MCP, by version: %s', (mode) => {
  test('[SYNC19] finds the tools, sends a message, waits for its answer, and finds and reads it', async () => {
    served = await serveChat([says('It is green.'), says('Still green.')])
    await connect(mode)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(NAMES)
    expect(JSON.stringify(tools)).not.toMatch(/permission_mode|"decision"|approve/)
    const { conversation_id, handle } = await sendMessage({ text: 'Which colour is the sea?' })
    expect(await call('wait_for_answer', { handle })).toEqual({
      state: 'completed',
      text: 'It is green.',
      reason: null,
    })
    const again = await sendMessage({ text: 'And now?', conversation_id, message_id: 'm1' })
    expect(again.conversation_id).toBe(conversation_id)
    expect(await sendMessage({ text: 'And now?', conversation_id, message_id: 'm1' })).toEqual(again)
    expect(await call('wait_for_answer', { handle: again.handle })).toMatchObject({ text: 'Still green.' })
    expect(await call('list_conversations', {})).toMatchObject({ conversations: [{ conversation_id, messages: 4 }] })
    expect(await call('search_conversations', { query: 'colour' })).toMatchObject({ hits: [{ conversation_id }] })
    const { messages } = await call('read_conversation', { conversation_id, limit: 3 })
    expect(messages).toMatchObject([
      { role: 'assistant', text: 'It is green.' },
      { role: 'user', text: 'And now?' },
      { role: 'assistant', text: 'Still green.' },
    ])
  })
})

test('[SYNC19, STOP10] a wait that is left stops nothing; stop does, and keeps what was said', async () => {
  served = await serveChat([[...begins('Once ', 'upon'), { type: 'wait' }]])
  await connect()
  const { conversation_id, handle } = await sendMessage({ text: 'Tell' })
  await expect.poll(() => served.model.requests.length).toBe(1)
  expect(await call('wait_for_answer', { handle, seconds: 0 })).toMatchObject({ state: 'running' })
  // No longer than was asked for.
  const asked = performance.now()
  expect(await call('wait_for_answer', { handle, seconds: 1 })).toMatchObject({ state: 'running' })
  expect(performance.now() - asked).toBeLessThan(10_000)
  expect(await call('stop', { conversation_id })).toEqual({ stopped: true })
  served.model.proceed()
  expect(await call('wait_for_answer', { handle, seconds: 40 })).toMatchObject({
    state: 'stopped',
    text: expect.stringContaining('Once'),
  })
  expect(await call('stop', { conversation_id })).toEqual({ stopped: false })
})

test('[SYNC19, PERM3] what waits for a person is said to, and no tool answers it', async () => {
  served = await serveChat([asksFor('paint', '{"colour":"red"}'), says('Painted.')])
  await connect()
  const { conversation_id, handle } = await sendMessage({ text: 'Paint' })
  expect(await call('wait_for_answer', { handle })).toMatchObject({
    state: 'waiting-for-person',
    reason: expect.stringContaining('person'),
  })
  const entries = (await served.store.read({ conversationId: conversation_id, after: 0, limit: 100 })).entries
  expect(entries.map(({ type }) => type)).not.toContain('permission-settled')
})

test('[SYNC19, SEC5] what cannot be is said in words, and the server goes on', async () => {
  served = await serveChat([says('fine')])
  await connect()
  expect(await call('read_conversation', { conversation_id: 'none' })).toEqual({
    error: expect.stringContaining('no conversation none'),
  })
  expect(await call('wait_for_answer', { handle: 'none' })).toEqual({ error: expect.stringContaining('no handle') })
  expect(await call('send_message', { text: '' })).toEqual({ error: expect.stringContaining('text') })
  expect(await call('send_message', { text: 'Hi', model: 'none' })).toEqual({ error: expect.stringContaining('none') })
  const bad = { method: 'POST', headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' } }
  for (const body of ['{', '[]', '7', '{"jsonrpc":"2.0","id":1,"method":"no/such"}'])
    expect((await fetch(mcpUrl(), { ...bad, body })).status).toBeLessThan(500)
  const listened = await fetch(mcpUrl(), { headers: { authorization: `Bearer ${TOKEN}` } })
  expect([listened.status, listened.headers.get('allow')]).toEqual([405, 'POST'])
  const { handle } = await sendMessage({ text: 'Hi' })
  expect(await call('wait_for_answer', { handle })).toMatchObject({ text: 'fine' })
})
