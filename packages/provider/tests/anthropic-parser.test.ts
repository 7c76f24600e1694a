import { createCallIds, type ModelPart, ProviderError } from '@holdfast/provider'
import { createAnthropicParser } from '@holdfast/provider/anthropic'
import { collectParts } from '@holdfast/provider/testing'
import { describe, expect, it } from 'vitest'
import { countingIds } from './support/adapters.ts'

type Event = Readonly<Record<string, unknown>>

function partsOf(events: readonly Event[]): ModelPart[] {
  const ids = countingIds()
  const parser = createAnthropicParser({ callIds: createCallIds({ messages: [], next: () => ids.next('call') }) })
  return events.flatMap((event) => [...parser.read({ name: '', data: JSON.stringify(event) })])
}

function answerOf(events: readonly Event[]): ReturnType<typeof collectParts> {
  return collectParts(partsOf(events))
}

function start(usage: Event = { input_tokens: 5, output_tokens: 1 }, id = 'msg_1'): Event {
  return { type: 'message_start', message: { id, usage } }
}

function opened(index: number, block: Event): Event {
  return { type: 'content_block_start', index, content_block: block }
}

function delta(index: number, fields: Event): Event {
  return { type: 'content_block_delta', index, delta: fields }
}

const stopped = (index: number): Event => ({ type: 'content_block_stop', index })
const end = (reason: string, usage: Event = { output_tokens: 9 }): Event[] => [
  { type: 'message_delta', delta: { stop_reason: reason }, usage },
  { type: 'message_stop' },
]

describe("Anthropic's answer", () => {
  it('[REQ4] keeps the signature of thinking, and thinking that cannot be read', () => {
    const { blocks } = answerOf([
      start(),
      opened(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'so' }),
      delta(0, { type: 'signature_delta', signature: 'ab' }),
      delta(0, { type: 'signature_delta', signature: 'cd' }),
      stopped(0),
      opened(1, { type: 'redacted_thinking', data: 'opaque' }),
      stopped(1),
      ...end('end_turn'),
    ])
    expect(blocks).toEqual([
      { type: 'thinking', text: 'so', providerState: { type: 'anthropic.signature', signature: 'abcd' } },
      { type: 'thinking', text: '', providerState: { type: 'anthropic.redacted', data: 'opaque' } },
    ])
  })

  it('[REQ4] keeps a block of an unknown kind whole, with its input and what its deltas add', () => {
    const { blocks } = answerOf([
      start(),
      opened(0, { type: 'server_tool_use', id: 'srv', name: 'web_search', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"query":' }),
      delta(0, { type: 'input_json_delta', partial_json: '"x"}' }),
      stopped(0),
      opened(1, { type: 'compaction', content: null }),
      delta(1, { type: 'compaction_delta', content: 'sum' }),
      delta(1, { type: 'compaction_delta', content: 'mary' }),
      stopped(1),
      ...end('end_turn'),
    ])
    expect(blocks.map(({ providerState }) => providerState)).toEqual([
      {
        type: 'anthropic.block',
        json: '{"type":"server_tool_use","id":"srv","name":"web_search","input":{"query":"x"}}',
      },
      { type: 'anthropic.block', json: '{"type":"compaction","content":"summary"}' },
    ])
  })

  it('[REQ4] keeps the citations of a text', () => {
    const { blocks } = answerOf([
      start(),
      opened(0, { type: 'text', text: 'a' }),
      delta(0, { type: 'citations_delta', citation: { n: 1 } }),
      stopped(0),
      ...end('end_turn'),
    ])
    expect(blocks).toEqual([
      { type: 'text', text: 'a', providerState: { type: 'anthropic.citations', json: '[{"n":1}]' } },
    ])
  })

  it('[RUN10] takes a call without arguments as one with an empty object', () => {
    const call = { type: 'tool_use', id: 't', name: 'now', input: {} }
    for (const deltas of [[], [delta(0, { type: 'input_json_delta', partial_json: '' })]]) {
      expect(answerOf([start(), opened(0, call), ...deltas, stopped(0), ...end('tool_use')]).blocks).toMatchObject([
        { inputText: '{}', complete: true },
      ])
    }
    const filled = { ...call, input: { zone: 'UTC' } }
    expect(answerOf([start(), opened(0, filled), stopped(0), ...end('tool_use')]).blocks).toMatchObject([
      { inputText: '{"zone":"UTC"}' },
    ])
  })

  it('[COST1] splits what was written to the cache by its time to live, and takes later figures as totals', () => {
    const usage = {
      input_tokens: 5,
      cache_read_input_tokens: 7,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      output_tokens: 1,
    }
    const parts = partsOf([
      start(usage),
      ...end('end_turn', {
        input_tokens: 6,
        cache_creation_input_tokens: 30,
        output_tokens: 40,
        output_tokens_details: { thinking_tokens: 12 },
      }),
    ])
    expect(parts.flatMap((part) => (part.type === 'usage' ? [part.usage] : []))).toEqual([
      {
        inputTokens: 5,
        cacheReadTokens: 7,
        cacheCreation5mTokens: 10,
        cacheCreation1hTokens: 20,
        outputTokens: 1,
        thinkingTokens: 0,
      },
      {
        inputTokens: 6,
        cacheReadTokens: 7,
        cacheCreation5mTokens: 10,
        cacheCreation1hTokens: 20,
        outputTokens: 40,
        thinkingTokens: 12,
      },
    ])
    expect(
      answerOf([
        start({ input_tokens: -5, cache_creation_input_tokens: 8, output_tokens: 'many' }),
        ...end('end_turn', {}),
      ]).usage,
    ).toMatchObject({
      inputTokens: null,
      cacheCreation5mTokens: 8,
      outputTokens: null,
    })
  })

  it.each([
    ['end_turn', 'end'],
    ['stop_sequence', 'end'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['pause_turn', 'length'],
    ['refusal', 'refused'],
    ['something_new', 'end'],
  ])('[RUN12] ends by %s as %s', (reason, finish) => {
    expect(answerOf([start(), ...end(reason)]).finish).toBe(finish)
  })

  it('[RUN5] goes on when the message starts twice, and counts its usage once', () => {
    const { blocks, usage, finish } = answerOf([
      start(),
      start(),
      opened(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: 'a' }),
      stopped(0),
      ...end('end_turn'),
    ])
    expect([blocks.length, usage?.inputTokens, finish]).toEqual([1, 5, 'end'])
  })

  it('[STOP4] leaves open what another message in the same stream cut off, and takes that message', () => {
    const { blocks, finish } = answerOf([
      start(),
      opened(0, { type: 'tool_use', id: 'one', name: 't', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"a": "Sp' }),
      start({ input_tokens: 5, output_tokens: 1 }, 'msg_2'),
      opened(0, { type: 'tool_use', id: 'two', name: 't', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"a": 1}' }),
      stopped(0),
      ...end('tool_use'),
    ])
    expect(blocks).toMatchObject([
      { callId: 'one', complete: false },
      { callId: 'two', complete: true, inputText: '{"a": 1}' },
    ])
    expect(finish).toBe('tool-calls')
  })

  it('[RUN9] takes words for a block that never started, and refuses what belongs to nothing', () => {
    expect(
      answerOf([
        start(),
        delta(3, { type: 'text_delta', text: 'a' }),
        delta(3, { type: 'text_delta', text: 'b' }),
        ...end('end_turn'),
      ]).blocks,
    ).toMatchObject([{ text: 'ab' }])
    expect(() => partsOf([start(), delta(3, { type: 'input_json_delta', partial_json: '{' })])).toThrow(ProviderError)
  })
})
