import { randomUUID } from 'node:crypto'
import { HttpAgent } from '@ag-ui/client'
import { begins, type ScriptLine } from '@holdfast/engine/testing'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import OpenAI from 'openai'
import { afterEach, expect, test } from 'vitest'
import { CLIENTS } from './support/chat-clients.ts'
import { type ServedChat, serveChat, TOKEN } from './support/served-chat.ts'

let served: ServedChat

afterEach(async () => {
  await served.close()
})

const headers = { authorization: `Bearer ${TOKEN}` }
const PIECES = ['Once ', 'upon 😀', ' a\n\n', 'time, 你好 ', 'é "quoted" \\ ', 'the end.']
const WORDS = PIECES.join('')

/** A turn that waits in the middle of its answer, so that all are there before it goes on. */
const tale: readonly ScriptLine[] = [
  ...begins(...PIECES.slice(0, 3)),
  { type: 'wait' },
  ...PIECES.slice(3).map((text): ScriptLine => ({ type: 'block-delta', block: 0, text })),
  { type: 'block-ended', block: 0 },
  { type: 'finish', finish: 'end' },
]

test('[SYNC20] Responses, useChat, AG-UI, Durable Streams and MCP tell one answer of one conversation byte for byte', async () => {
  served = await serveChat([tale])
  const id = 'begun-elsewhere'
  const openai = new OpenAI({ baseURL: `${served.url}/api/v1/interop/openai/v1`, apiKey: TOKEN })
  const streamed = openai.responses.stream({ model: 'scripted', input: 'Tell', conversation: id })
  let ofResponses = ''
  const responses = (async () => {
    for await (const event of streamed) if (event.type === 'response.output_text.delta') ofResponses += event.delta
  })()
  await expect.poll(() => ofResponses).toBe(PIECES.slice(0, 3).join(''))

  const agent = new HttpAgent({ url: `${served.url}/api/v1/interop/ag-ui/run`, headers, threadId: id })
  let ofAgUi = ''
  const agUi = agent.runAgent(
    { runId: randomUUID() },
    {
      onTextMessageContentEvent: ({ event }) => {
        ofAgUi += event.delta
      },
    },
  )
  await expect.poll(() => ofAgUi).toBe(PIECES.slice(0, 3).join(''))
  const makeChat = CLIENTS['version 7']
  if (!makeChat) throw new Error('There is no client of version 7')
  const chat = makeChat(served, id)
  const ofChat = () =>
    chat.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
  const useChat = chat.resumeStream()
  await expect.poll(ofChat).toEqual([PIECES.slice(0, 3).join('')])
  served.model.proceed()
  await Promise.all([responses, agUi, useChat])
  const read = await fetch(`${served.url}/api/v1/interop/streams/${id}?offset=-1`, { headers })
  const entries = (await read.json()) as { type: string; blocks?: { type: string; text: string }[] }[]
  const ofStreams = entries.flatMap(({ type, blocks }) => (type === 'step-finished' ? (blocks ?? []) : []))

  const mcp = new Client({ name: 'test', version: '1.0.0' })
  await mcp.connect(
    new StreamableHTTPClientTransport(new URL(`${served.url}/api/v1/interop/mcp`), { requestInit: { headers } }),
  )
  const { structuredContent } = await mcp.callTool({ name: 'read_conversation', arguments: { conversation_id: id } })
  await mcp.close()
  expect(ofResponses).toBe(WORDS)
  expect(ofAgUi).toBe(WORDS)
  expect(ofChat()).toEqual([WORDS])
  expect(ofStreams).toMatchObject([{ text: WORDS }])
  expect(structuredContent).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant', text: WORDS }] })
})
