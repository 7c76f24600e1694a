import type { AnswerBlock } from '@holdfast/conversation'
import { createCallIds, type ModelPart, type ModelRequest, type RequestMessage } from '@holdfast/provider'
import {
  type ChatTraits,
  createChatParser,
  encodeChatRequest,
  PLAIN_CHAT,
  traitsOfModel,
} from '@holdfast/provider/openai-chat'
import { collectParts } from '@holdfast/provider/testing'
import { describe, expect, it } from 'vitest'
import { countingIds } from './support/adapters.ts'

type Fields = Readonly<Record<string, unknown>>

const HASH = 'a'.repeat(64)
const image = { type: 'image', attachmentId: 'i', blob: { hash: HASH, sizeBytes: 1, mediaType: 'image/png' } } as const

function body(request: Partial<ModelRequest>, traits: Partial<ChatTraits> = {}): string {
  const whole: ModelRequest = {
    modelId: 'm',
    system: 'S',
    tools: [],
    toolChoice: 'auto',
    messages: [],
    maxOutputTokens: null,
    thinkingBudgetTokens: null,
    parameters: {},
    cacheMarks: null,
    ...request,
  }
  return encodeChatRequest(whole, { blobs: new Map([[HASH, 'cGl4']]), traits: { ...PLAIN_CHAT, ...traits } })
}

function user(text: string): RequestMessage {
  return { role: 'user', parts: [{ type: 'text', text }] }
}

function assistant(...blocks: AnswerBlock[]): RequestMessage {
  return { role: 'assistant', blocks }
}

function call(callId: string, inputText: string): AnswerBlock {
  return { type: 'tool-call', callId, name: 't', inputText, complete: true }
}

function result(callId: string, ...content: Extract<RequestMessage, { role: 'tool' }>['content']): RequestMessage {
  return { role: 'tool', callId, isError: false, content }
}

function messagesOf(messages: readonly RequestMessage[], traits: Partial<ChatTraits> = {}): unknown {
  return JSON.parse(body({ messages }, traits)).messages
}

function partsOf(
  chunks: readonly (Fields | string)[],
  reasoningReplay: ChatTraits['reasoningReplay'] = null,
): ModelPart[] {
  const ids = countingIds()
  const callIds = createCallIds({ messages: [], next: () => ids.next('call') })
  const parser = createChatParser({ vendor: 'openai-compatible', callIds, reasoningReplay })
  const data = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : JSON.stringify(chunk)))
  return [...data.flatMap((text) => [...parser.read({ name: '', data: text })]), ...parser.end()]
}

function delta(fields: Fields, finishReason: string | null = null): Fields {
  return { choices: [{ index: 0, delta: fields, finish_reason: finishReason }] }
}

function calls(...list: Fields[]): Fields {
  return delta({ tool_calls: list })
}

function callDelta(index: number | undefined, id: string | undefined, name: string | undefined, args: unknown): Fields {
  return { index, id, function: { name, arguments: args } }
}

function callsOf(...chunks: readonly Fields[]): unknown {
  const { blocks } = collectParts(partsOf([...chunks, delta({}, 'tool_calls'), '[DONE]']))
  return blocks.map((block) =>
    block.type === 'tool-call' ? [block.callId, block.name, block.inputText, block.complete] : block.text,
  )
}

describe('the request of Chat Completions', () => {
  it('[REQ1] has these bytes', () => {
    expect(
      body(
        {
          maxOutputTokens: 9,
          tools: [{ name: 't', description: 'd', parameters: { type: 'object' } }],
          toolChoice: 'none',
          parameters: { temperature: 0.5 },
          messages: [
            user('Hi'),
            assistant(call('c1', '{"b": 1.0, "2":0}')),
            result('c1', { type: 'text', text: 'ok' }),
            user('on'),
          ],
        },
        { systemRole: 'developer', outputLimitField: 'max_completion_tokens' },
      ),
    ).toBe(
      '{"model":"m","stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":9,"temperature":0.5,' +
        '"tools":[{"type":"function","function":{"name":"t","description":"d","parameters":{"type":"object"}}}],"tool_choice":"none",' +
        '"messages":[{"role":"developer","content":"S"},{"role":"user","content":"Hi"},' +
        '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{\\"b\\": 1.0, \\"2\\":0}"}}]},' +
        '{"role":"tool","tool_call_id":"c1","content":"ok"},{"role":"user","content":"on"}]}',
    )
  })

  it('[REQ2] sends content null only beside calls, and no empty message', () => {
    expect(
      messagesOf([
        user('go'),
        assistant({ type: 'thinking', text: 'hm' }),
        assistant({ type: 'text', text: ' ' }),
        user('on'),
      ]),
    ).toEqual([
      { role: 'system', content: 'S' },
      { role: 'user', content: 'go\n\non' },
    ])
    expect(messagesOf([user('go'), assistant(call('a', '{}')), result('a')])).toMatchObject([
      {},
      {},
      { content: null },
      { role: 'tool', content: '(no output)' },
    ])
  })

  it('[REQ2] moves images of tools behind all results of the step, into what the person says next', () => {
    const messages = [
      user('go'),
      assistant(call('a', '{}'), call('b', '{}')),
      result('a', image),
      result('b', { type: 'text', text: 'x' }),
      user('see?'),
    ]
    expect(messagesOf(messages)).toMatchObject([
      {},
      {},
      {},
      { role: 'tool', tool_call_id: 'a', content: '(The image follows.)' },
      { role: 'tool', tool_call_id: 'b' },
      {
        role: 'user',
        content: [
          { type: 'text' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,cGl4' } },
          { text: 'see?' },
        ],
      },
    ])
    expect(body({ messages }, { images: false })).not.toContain('image_url')
  })

  it('[RUN10] quotes input that is not an object, and gives ids a form that is accepted', () => {
    expect(body({ messages: [assistant(call('functions.t:0', '{"a'))] })).toContain(
      '{\\"invalid_json\\":\\"{\\\\\\"a\\"}',
    )
    const short: unknown = messagesOf([assistant(call('functions.t:0', '{}')), result('functions.t:0')], {
      shortCallIds: true,
    })
    const id = expect.stringMatching(/^[a-zA-Z0-9]{9}$/)
    expect(short).toMatchObject([{}, { tool_calls: [{ id }] }, { tool_call_id: id }])
  })

  it('[REQ2] lets an answer stand between a result and what a person says next, where a template wants it', () => {
    const messages = [user('go'), assistant(call('c1', '{}')), result('c1'), user('and now')]
    const roles = (wire: unknown): unknown =>
      Array.isArray(wire) ? wire.map((message: { role: string }) => message.role) : wire
    expect(roles(messagesOf(messages))).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
    const strict = messagesOf(messages, { answersBeforeUser: true })
    expect(roles(strict)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user'])
    expect(messagesOf(messages.slice(0, 3), { answersBeforeUser: true })).toEqual(messagesOf(messages.slice(0, 3)))
  })

  it('[REQ4] sends thinking again only where the model takes it, in its field', () => {
    const state = { type: 'openai-chat.reasoning', details: '[{"type":"reasoning.text","text":"hm","signature":"s"}]' }
    const messages = [
      user('go'),
      assistant(
        { type: 'thinking', text: 'hm', providerState: state },
        { type: 'thinking', text: 'cut' },
        { type: 'text', text: 'a' },
      ),
    ]
    expect(body({ messages })).not.toContain('hm')
    expect(messagesOf(messages, { reasoningReplay: 'reasoning_content' })).toMatchObject([
      {},
      {},
      { reasoning_content: 'hm' },
    ])
    expect(body({ messages }, { reasoningReplay: 'reasoning_details' })).toContain(
      `"reasoning_details":${state.details}`,
    )
  })

  it('[REQ4] gives a call of a step without thinking some, where the server refuses it otherwise', () => {
    const messages = [user('go'), assistant(call('c1', '{}')), result('c1'), assistant({ type: 'text', text: 'done' })]
    const kimi = messagesOf(messages, traitsOfModel(PLAIN_CHAT, 'moonshotai/Kimi-K2.6'))
    expect(kimi).toMatchObject([{}, {}, { reasoning_content: '(None is kept of this step.)' }, {}, {}])
    expect(JSON.stringify(kimi).match(/reasoning/g)).toHaveLength(1)
    expect(body({ messages })).not.toContain('reasoning')
  })

  it('[REQ2] knows what models want by their names, and leaves what the server says of thinking', () => {
    const mistral = { shortCallIds: true, answersBeforeUser: true }
    expect(traitsOfModel(PLAIN_CHAT, 'Devstral-Small-2')).toEqual({ ...PLAIN_CHAT, ...mistral })
    expect(traitsOfModel(PLAIN_CHAT, 'qwen3-coder')).toEqual(PLAIN_CHAT)
    const openRouter = { ...PLAIN_CHAT, reasoningReplay: 'reasoning_details' } as const
    expect(traitsOfModel(openRouter, 'deepseek/deepseek-v3.2')).toEqual(openRouter)
  })

  it('[RUN13] says a budget for thinking in the words of the server', () => {
    expect(body({ thinkingBudgetTokens: 4_000 })).not.toContain('reasoning')
    expect(body({ thinkingBudgetTokens: 4_000 }, { thinking: 'effort' })).toContain('"reasoning_effort":"medium"')
    expect(body({ thinkingBudgetTokens: 4_000 }, { thinking: 'openrouter' })).toContain(
      '"reasoning":{"max_tokens":4000}',
    )
  })
})

describe('the answer of Chat Completions', () => {
  it('[RUN11] joins calls by index, also when they come mixed and out of order', () => {
    expect(
      callsOf(
        calls(callDelta(1, 'b', 't', '{"n"')),
        calls(callDelta(0, 'a', 't', '{')),
        calls(callDelta(1, undefined, undefined, ':2}'), callDelta(0, undefined, undefined, '"m":1}')),
      ),
    ).toEqual([
      ['b', 't', '{"n":2}', true],
      ['a', 't', '{"m":1}', true],
    ])
  })

  it('[RUN11] tells calls apart where a server numbers them all 0, or none, or repeats id and name', () => {
    const two = [
      ['a', 't', '{"m":1}', true],
      ['b', 't', '{"n":2}', true],
    ]
    expect(callsOf(calls(callDelta(0, 'a', 't', '{"m":1}')), calls(callDelta(0, 'b', 't', '{"n":2}')))).toEqual(two)
    expect(
      callsOf(calls(callDelta(undefined, 'a', 't', '{"m":1}'), callDelta(undefined, 'b', 't', '{"n":2}'))),
    ).toEqual(two)
    expect(
      callsOf(
        calls(callDelta(0, 'a', 't', '{"m"')),
        calls(callDelta(0, 'a', 't', ':1}')),
        calls(callDelta(1, 'b', 't', { n: 2 })),
      ),
    ).toEqual(two)
  })

  it('[RUN11] gives ids where there are none, and {} where there is no input', () => {
    expect(
      callsOf(calls(callDelta(undefined, undefined, 't', '')), calls(callDelta(undefined, '', 'u', '{"a":1}'))),
    ).toEqual([
      ['call_1', 't', '{}', true],
      ['call_2', 'u', '{"a":1}', true],
    ])
    expect(
      callsOf(
        delta({ function_call: { name: 't', arguments: '{"a"' } }),
        delta({ function_call: { arguments: ':1}' } }),
      ),
    ).toEqual([['call_1', 't', '{"a":1}', true]])
  })

  it('[RUN11] waits for the name of a call', () => {
    expect(
      callsOf(
        calls(callDelta(0, 'a', undefined, '')),
        calls(callDelta(0, undefined, 't', '{"a"')),
        calls(callDelta(0, undefined, undefined, ':1}')),
      ),
    ).toEqual([['a', 't', '{"a":1}', true]])
  })

  it.each([
    [delta({ reasoning_content: 'hm', content: null })],
    [delta({ reasoning: 'hm' })],
    [delta({ reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm', index: 0 }] })],
    [delta({ reasoning_details: [{ type: 'reasoning.summary', summary: 'hm', index: 0 }] })],
    [delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] })],
  ])('[RUN12] finds thinking in %j', (chunk) => {
    const { blocks } = collectParts(partsOf([chunk, delta({ content: 'so' }, 'stop'), '[DONE]']))
    expect(blocks).toEqual([
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'so' },
    ])
  })

  it('[REQ4] keeps what the server wants back with thinking, joined by index', () => {
    const pieces = [
      [{ type: 'reasoning.text', text: 'h', index: 0 }],
      [{ type: 'reasoning.text', text: 'm', signature: null, index: 0 }],
      [
        { type: 'reasoning.text', signature: 's', index: 0 },
        { type: 'reasoning.encrypted', data: 'x', index: 1 },
      ],
    ]
    const chunks = pieces.map((details) => delta({ reasoning_details: details }))
    const { blocks } = collectParts(partsOf([...chunks, delta({ content: 'a' }, 'stop')], 'reasoning_details'))
    expect(blocks[0]).toEqual({
      type: 'thinking',
      text: 'hm',
      providerState: {
        type: 'openai-chat.reasoning',
        details:
          '[{"type":"reasoning.text","text":"hm","index":0,"signature":"s"},{"type":"reasoning.encrypted","data":"x","index":1}]',
      },
    })
  })

  it.each([
    ['stop', 'end'],
    ['length', 'length'],
    ['tool_calls', 'tool-calls'],
    ['function_call', 'tool-calls'],
    ['content_filter', 'refused'],
    ['something_new', 'end'],
  ])('[RUN12] ends by %s as %s', (reason, finish) => {
    expect(collectParts(partsOf([delta({ content: 'a' }, reason)])).finish).toBe(finish)
  })

  it('[RUN5] ends by [DONE] or by a reason; with neither it was cut', () => {
    expect(collectParts(partsOf([delta({ content: 'a' }), '[DONE]'])).finish).toBe('end')
    expect(collectParts(partsOf([delta({ content: 'a' }, 'stop')])).finish).toBe('end')
    expect(collectParts(partsOf([delta({ content: 'a' })])).finish).toBeNull()
    expect(collectParts(partsOf([calls(callDelta(0, 'a', 't', '{}'))])).blocks).toMatchObject([{ complete: false }])
  })

  it('[RUN12] ends with calls where a server says "stop" beside them, and refused where the model refuses', () => {
    expect(collectParts(partsOf([calls(callDelta(0, 'a', 't', '{}')), delta({}, 'stop')])).finish).toBe('tool-calls')
    expect(collectParts(partsOf([delta({ refusal: 'No.' }, 'stop')]))).toMatchObject({
      finish: 'refused',
      blocks: [{ text: 'No.' }],
    })
  })

  it.each([
    [
      {
        prompt_tokens: 100,
        completion_tokens: 20,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 5 },
        total_tokens: 120,
      },
      [40, 60, 20, 5],
    ],
    [{ prompt_tokens: 100, completion_tokens: 20, prompt_cache_hit_tokens: 60, total_tokens: 120 }, [40, 60, 20, 0]],
    [
      {
        prompt_tokens: 100,
        completion_tokens: 20,
        completion_tokens_details: { reasoning_tokens: 30 },
        total_tokens: 150,
      },
      [100, 0, 50, 30],
    ],
    [{ prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 60 } }, [0, 60, 2, 0]],
    [{ prompt_tokens: 10, completion_tokens: -2 }, [10, 0, null, 0]],
  ])('[COST1] reads the figures of %j', (usage, [input, cached, output, thinking]) => {
    for (const chunk of [
      { choices: [], usage },
      { choices: [{ delta: {}, usage }] },
      { choices: [], x_groq: { usage } },
    ]) {
      expect(collectParts(partsOf([chunk])).usage).toMatchObject({
        inputTokens: input,
        cacheReadTokens: cached,
        outputTokens: output,
        thinkingTokens: thinking,
      })
    }
  })

  it('[COST1] says nothing of usage where the server does not', () => {
    expect(collectParts(partsOf([{ choices: [], usage: null }, delta({ content: 'a' }, 'stop')])).usage).toBeNull()
  })

  it.each([
    [{ error: { message: 'slow down', code: 429 } }, 'rate-limit'],
    [{ error: { message: 'Provider returned error', code: 502 } }, 'network'],
    [{ object: 'error', message: 'maximum context length is 8192 tokens', code: 400 }, 'too-long'],
    [{ error: 'something' }, 'internal'],
  ])('[RUN9] takes %j inside the stream as %s', (chunk, code) => {
    expect(() => partsOf([chunk])).toThrow(expect.objectContaining({ code }))
  })
})
