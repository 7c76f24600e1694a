import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { AnswerBlock } from '@holdfast/conversation'
import type { ModelPort, ModelRequest } from '@holdfast/provider'
import { createAiSdkModel } from '@holdfast/provider/ai-sdk'
import { collectParts, noAbort, PLAIN_REQUEST, readAll } from '@holdfast/provider/testing'
import { describe, expect, it } from 'vitest'
import { countingIds } from './support/adapters.ts'

const HASH = 'a'.repeat(64)
const PIX = { read: async () => new TextEncoder().encode('pix') }

function portTo(model: LanguageModelV3 | LanguageModelV4): ModelPort {
  return createAiSdkModel({
    providerId: 'p',
    vendor: 'anthropic',
    modelOf: () => model,
    ids: countingIds(),
    cacheMark: (ttl) => ({ anthropic: { cacheControl: { type: 'ephemeral', ttl } } }),
    optionsOf: () => ({ anthropic: { toolStreaming: true } }),
  })
}

function streamOf<Part>(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

function v3(parts: readonly LanguageModelV3StreamPart[], seen: LanguageModelV3CallOptions[] = []): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'vendor.messages',
    modelId: 'm',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('not used')),
    doStream: async (options) => {
      seen.push(options)
      return { stream: streamOf(parts) }
    },
  }
}

function v4(parts: readonly LanguageModelV4StreamPart[], seen: LanguageModelV4CallOptions[] = []): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'vendor.messages',
    modelId: 'm',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('not used')),
    doStream: async (options) => {
      seen.push(options)
      return { stream: streamOf(parts) }
    },
  }
}

const usage = {
  inputTokens: { total: 100, noCache: 60, cacheRead: 10, cacheWrite: 30 },
  outputTokens: { total: 7, text: 7, reasoning: 2 },
}

const words = [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'a' },
] as const

async function answerOf(model: LanguageModelV3 | LanguageModelV4): Promise<ReturnType<typeof collectParts>> {
  const { parts, error } = await readAll((onPart) =>
    portTo(model).stream(PLAIN_REQUEST, { signal: noAbort(), blobs: PIX, onPart }),
  )
  expect(error).toBeNull()
  return collectParts(parts)
}

describe('a package of the AI SDK', () => {
  it('[STOP8] tells its usage early where only the raw events have it, split by time to live', async () => {
    const raw = {
      type: 'message_start',
      message: {
        usage: { input_tokens: 60, cache_creation: { ephemeral_1h_input_tokens: 20, ephemeral_5m_input_tokens: 10 } },
      },
    }
    const finish = { type: 'finish', usage, finishReason: { unified: 'stop', raw: 'end_turn' } } as const
    const { parts } = await readAll((onPart) =>
      portTo(v3([{ type: 'raw', rawValue: raw }, ...words, finish])).stream(PLAIN_REQUEST, {
        signal: noAbort(),
        blobs: PIX,
        onPart,
      }),
    )
    expect(parts[0]).toMatchObject({ type: 'usage', usage: { inputTokens: 60, cacheCreation1hTokens: 20 } })
    expect(collectParts(parts)).toMatchObject({
      finish: 'end',
      usage: {
        inputTokens: 60,
        cacheReadTokens: 10,
        cacheCreation5mTokens: 10,
        cacheCreation1hTokens: 20,
        outputTokens: 7,
        thinkingTokens: 2,
      },
    })
  })

  it('[RUN5] was cut when its stream has no finish, or one that says interrupted', async () => {
    expect((await answerOf(v3(words))).finish).toBeNull()
    expect(
      (
        await answerOf(
          v4([...words, { type: 'finish', usage, finishReason: { unified: 'interrupted', raw: undefined } }]),
        )
      ).finish,
    ).toBeNull()
  })

  it('[RUN10] does not put an input of its own making over what was streamed', async () => {
    const { blocks, finish } = await answerOf(
      v4([
        { type: 'tool-input-start', id: 'c', toolName: 't' },
        { type: 'tool-input-delta', id: 'c', delta: '{"a": 1.0, ' },
        { type: 'tool-input-end', id: 'c' },
        { type: 'tool-call', toolCallId: 'c', toolName: 't', input: '{"a":1}' },
        { type: 'tool-call', toolCallId: 'd', toolName: 't', input: '{"b": 2}' },
        { type: 'finish', usage, finishReason: { unified: 'tool-calls', raw: 'tool_use' } },
      ]),
    )
    expect(finish).toBe('tool-calls')
    expect(blocks).toMatchObject([{ inputText: '{"a": 1.0, ' }, { callId: 'd', inputText: '{"b": 2}' }])
  })

  it('[REQ4] gets back what it said beside a block, whole, and gets nothing of another package', async () => {
    const { blocks } = await answerOf(
      v4([
        { type: 'reasoning-start', id: 'r', providerMetadata: { anthropic: { index: 1 } } },
        { type: 'reasoning-delta', id: 'r', delta: 'hm' },
        { type: 'reasoning-delta', id: 'r', delta: '', providerMetadata: { anthropic: { signature: 's' } } },
        { type: 'reasoning-end', id: 'r', providerMetadata: { other: { x: [1] } } },
        { type: 'finish', usage, finishReason: { unified: 'stop', raw: undefined } },
      ]),
    )
    const metadata = { anthropic: { index: 1, signature: 's' }, other: { x: [1] } }
    expect(blocks).toEqual([
      {
        type: 'thinking',
        text: 'hm',
        providerState: { type: 'ai-sdk.metadata', package: 'vendor.messages', metadata },
      },
    ])
    const elsewhere: AnswerBlock = {
      type: 'thinking',
      text: 'no',
      providerState: { type: 'ai-sdk.metadata', package: 'other.messages', metadata },
    }
    const foreign: AnswerBlock = {
      type: 'thinking',
      text: 'no',
      providerState: { type: 'anthropic.signature', signature: 'x' },
    }
    const request: ModelRequest = {
      ...PLAIN_REQUEST,
      messages: [
        ...PLAIN_REQUEST.messages,
        { role: 'assistant', blocks: [foreign, elsewhere, ...blocks, { type: 'text', text: 'so' }] },
      ],
    }
    const seen: LanguageModelV4CallOptions[] = []
    await readAll((onPart) => portTo(v4([], seen)).stream(request, { signal: noAbort(), blobs: PIX, onPart }))
    expect(seen[0]?.prompt.at(-1)).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', providerOptions: metadata },
        { type: 'text', text: 'so' },
      ],
    })
  })

  it('[REQ2] is given images in the form of its version, results of one step together, marks where they are set', async () => {
    const image = {
      type: 'image',
      attachmentId: 'i',
      blob: { hash: HASH, sizeBytes: 3, mediaType: 'image/png' },
    } as const
    const call = (callId: string): AnswerBlock => ({
      type: 'tool-call',
      callId,
      name: 't',
      inputText: '{}',
      complete: true,
    })
    const request: ModelRequest = {
      ...PLAIN_REQUEST,
      cacheMarks: { ttl: '1h', system: true, messages: [0] },
      messages: [
        { role: 'user', parts: [image] },
        { role: 'assistant', blocks: [call('a'), call('b')] },
        { role: 'tool', callId: 'a', isError: false, content: [{ type: 'text', text: 'x' }, image] },
        { role: 'tool', callId: 'b', isError: true, content: [] },
      ],
    }
    const three: LanguageModelV3CallOptions[] = []
    const four: LanguageModelV4CallOptions[] = []
    await readAll((onPart) => portTo(v3([], three)).stream(request, { signal: noAbort(), blobs: PIX, onPart }))
    await readAll((onPart) => portTo(v4([], four)).stream(request, { signal: noAbort(), blobs: PIX, onPart }))
    const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } }
    const results = (picture: unknown) => ({
      role: 'tool',
      content: [
        { toolCallId: 'a', toolName: 't', output: { type: 'content', value: [{ type: 'text', text: 'x' }, picture] } },
        { toolCallId: 'b', output: { type: 'error-text', value: '(error without a message)' } },
      ],
    })
    const data = 'cGl4'
    expect(three[0]?.prompt).toMatchObject([
      { providerOptions },
      { content: [{ type: 'file', data }], providerOptions },
      {},
      results({ type: 'image-data', data }),
    ])
    expect(four[0]?.prompt).toMatchObject([
      { providerOptions },
      { content: [{ type: 'file', data: { type: 'data', data } }] },
      {},
      results({ type: 'file', data: { type: 'data', data } }),
    ])
    for (const options of [three[0], four[0]]) {
      expect(options).toMatchObject({
        includeRawChunks: true,
        maxOutputTokens: 1_000,
        toolChoice: { type: 'auto' },
        providerOptions: { anthropic: { toolStreaming: true } },
      })
    }
  })
})
