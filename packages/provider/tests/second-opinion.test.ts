import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { type ModelPort, type ModelRequest, noBlobs } from '@holdfast/provider'
import {
  collectParts,
  type LoopbackServer,
  noAbort,
  readAll,
  sendEvents,
  startLoopbackServer,
  type WireBlock,
  type WireScript,
} from '@holdfast/provider/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAnthropic, openChat } from './support/adapters.ts'
import { ANTHROPIC_WIRE, anthropicEvent } from './support/anthropic-wire.ts'
import { CHAT_WIRE } from './support/chat-wire.ts'
import { inSharedWords, readWith, withPlainResults } from './support/second-opinion.ts'

const USAGE = { inputTokens: 200, cacheReadTokens: 50, outputTokens: 70 }
const TOOL = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
} as const

/** One conversation as we say it … */
const OURS: ModelRequest = {
  modelId: 'claude-sonnet-4-5',
  system: 'Be short.',
  tools: [TOOL],
  toolChoice: 'auto',
  messages: [
    { role: 'user', parts: [{ type: 'text', text: 'Read a.txt' }] },
    {
      role: 'assistant',
      blocks: [
        { type: 'thinking', text: 'I read it.', providerState: { type: 'anthropic.signature', signature: 'c2ln' } },
        { type: 'text', text: 'Reading.' },
        { type: 'tool-call', callId: 'call_1', name: 'read_file', inputText: '{"path":"a.txt"}', complete: true },
        { type: 'tool-call', callId: 'call_2', name: 'read_file', inputText: '{"path":"b.txt"}', complete: true },
      ],
    },
    { role: 'tool', callId: 'call_1', isError: false, content: [{ type: 'text', text: 'A' }] },
    { role: 'tool', callId: 'call_2', isError: true, content: [{ type: 'text', text: 'gone' }] },
    { role: 'user', parts: [{ type: 'text', text: 'And now?' }] },
  ],
  maxOutputTokens: 3_000,
  thinkingBudgetTokens: null,
  parameters: {},
  cacheMarks: { ttl: '1h', system: true, messages: [4] },
}

const CACHED = { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } }

/** The request as the AI SDK says it. */
const THEIRS: LanguageModelV4CallOptions = {
  maxOutputTokens: 3_000,
  tools: [
    {
      type: 'function',
      name: TOOL.name,
      description: TOOL.description,
      inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ],
  prompt: [
    { role: 'system', content: 'Be short.', providerOptions: CACHED },
    { role: 'user', content: [{ type: 'text', text: 'Read a.txt' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'I read it.', providerOptions: { anthropic: { signature: 'c2ln' } } },
        { type: 'text', text: 'Reading.' },
        { type: 'tool-call', toolCallId: 'call_1', toolName: 'read_file', input: { path: 'a.txt' } },
        { type: 'tool-call', toolCallId: 'call_2', toolName: 'read_file', input: { path: 'b.txt' } },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'call_1', toolName: 'read_file', output: { type: 'text', value: 'A' } },
        {
          type: 'tool-result',
          toolCallId: 'call_2',
          toolName: 'read_file',
          output: { type: 'error-text', value: 'gone' },
        },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'And now?', providerOptions: CACHED }] },
  ],
}

const ANSWERS: readonly (readonly [string, readonly WireBlock[]])[] = [
  ['words', [{ type: 'text', pieces: ['Grüße ', '世界 ', '👩‍🚀'] }]],
  [
    'thinking and words',
    [
      { type: 'thinking', pieces: ['so ', 'so'] },
      { type: 'text', pieces: ['yes'] },
    ],
  ],
  ['one call', [{ type: 'tool-call', callId: 'c', name: 'read_file', pieces: ['{"pa', 'th":"a"', ',"n":1.5e3}'] }]],
  [
    'calls side by side',
    [
      { type: 'text', pieces: ['Both.'] },
      { type: 'tool-call', callId: 'c', name: 'read_file', pieces: ['{"path":"a"}'] },
      { type: 'tool-call', callId: 'd', name: 'read_file', pieces: ['{"path":', '"b"}'] },
    ],
  ],
  ['nothing', []],
]

let server: LoopbackServer
beforeEach(async () => {
  server = await startLoopbackServer()
})
afterEach(() => server.close())

function play(
  wire: WireScript,
  blocks: readonly WireBlock[],
  finish: 'end' | 'tool-calls' | 'length' | 'refused',
): void {
  const events = [
    ...wire.start(USAGE),
    ...blocks.flatMap((block, index) => wire.block(block, index)),
    ...wire.end(finish, USAGE),
  ]
  server.answer(async (exchange) => {
    await sendEvents(exchange, events)
    exchange.end()
  })
}

async function ours(port: ModelPort): Promise<ReturnType<typeof inSharedWords>> {
  const { parts, error } = await readAll((onPart) => port.stream(OURS, { signal: noAbort(), blobs: noBlobs, onPart }))
  expect(error).toBeNull()
  return inSharedWords(collectParts(parts))
}

/** The JSON of the last request. */
function lastBody(): Readonly<Record<string, unknown>> {
  return JSON.parse(server.exchanges.at(-1)?.bodyText ?? '')
}

const theirAnthropic = (): LanguageModelV4 =>
  createAnthropic({ apiKey: 'k', baseURL: `${server.baseUrl}/v1` })('claude-sonnet-4-5')
const theirChat = (): LanguageModelV4 => createOpenAI({ apiKey: 'k', baseURL: `${server.baseUrl}/v1` }).chat('gpt-4.1')

describe("the AI SDK's opinion on Anthropic", () => {
  it.each(ANSWERS)('[RUN5] is ours about an answer of %s', async (_name, blocks) => {
    play(ANTHROPIC_WIRE, blocks, blocks.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'end')
    expect(await ours(openAnthropic(server.baseUrl))).toEqual(await readWith(theirAnthropic(), THEIRS))
  })

  it.each(['length', 'refused'] as const)('[RUN12] is ours about the end by %s', async (finish) => {
    play(ANTHROPIC_WIRE, [{ type: 'text', pieces: ['a'] }], finish)
    expect(await ours(openAnthropic(server.baseUrl))).toEqual(await readWith(theirAnthropic(), THEIRS))
  })

  it('[RUN5] is ours about pings, a message that starts twice and kinds that nobody knows', async () => {
    const text = ANTHROPIC_WIRE.block({ type: 'text', pieces: ['a', 'b'] }, 0)
    const [start = ''] = ANTHROPIC_WIRE.start(USAGE)
    const events = [
      start,
      start,
      ANTHROPIC_WIRE.ping,
      ...text,
      anthropicEvent({ type: 'ping' }),
      ...ANTHROPIC_WIRE.end('end', USAGE),
    ]
    server.answer(async (exchange) => {
      await sendEvents(exchange, events)
      exchange.end()
    })
    expect(await ours(openAnthropic(server.baseUrl))).toEqual(await readWith(theirAnthropic(), THEIRS))
  })

  it('[REQ1] is ours about the request: messages, system, tools, marks and limit are the same JSON', async () => {
    play(ANTHROPIC_WIRE, [], 'end')
    await ours(openAnthropic(server.baseUrl))
    const own = withPlainResults(lastBody())
    await readWith(theirAnthropic(), THEIRS)
    const their = lastBody()
    for (const field of ['model', 'max_tokens', 'stream', 'system', 'messages'])
      expect([field, own[field]]).toEqual([field, their[field]])
    expect(their.tools).toMatchObject(JSON.parse(JSON.stringify(own.tools)))
  })
})

describe("the AI SDK's opinion on Chat Completions", () => {
  it.each(ANSWERS.filter(([, blocks]) => !blocks.some(({ type }) => type === 'thinking')))(
    '[RUN5] is ours about an answer of %s',
    async (_name, blocks) => {
      play(CHAT_WIRE, blocks, blocks.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'end')
      expect(await ours(openChat(server.baseUrl))).toEqual(await readWith(theirChat(), THEIRS))
    },
  )

  it.each(['length', 'refused'] as const)('[RUN12] is ours about the end by %s', async (finish) => {
    play(CHAT_WIRE, [{ type: 'text', pieces: ['a'] }], finish)
    expect(await ours(openChat(server.baseUrl))).toEqual(await readWith(theirChat(), THEIRS))
  })

  it('[REQ1] is ours about the request: messages, tools and options of the stream are the same JSON', async () => {
    play(CHAT_WIRE, [], 'end')
    await ours(openChat(server.baseUrl))
    const own = lastBody()
    await readWith(theirChat(), THEIRS)
    const their = lastBody()
    for (const field of ['stream', 'stream_options', 'tools', 'max_tokens'])
      expect([field, own[field]]).toEqual([field, their[field]])
    // Theirs writes an error as JSON; ours leaves it in the words that the log holds.
    const errorAsJson = JSON.stringify(their.messages).replace(JSON.stringify('{"error":"gone"}'), '"gone"')
    expect(own.messages).toEqual(JSON.parse(errorAsJson))
  })
})
