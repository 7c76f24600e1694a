import type { AnswerBlock } from '@holdfast/conversation'
import { type ModelRequest, ProviderError, type RequestMessage } from '@holdfast/provider'
import { encodeAnthropicRequest } from '@holdfast/provider/anthropic'
import { describe, expect, it } from 'vitest'

const HASH = 'a'.repeat(64)
const BLOBS = new Map([[HASH, Buffer.from('pixels').toString('base64')]])
const PLAIN: ModelRequest = {
  modelId: 'm',
  system: 'S',
  tools: [],
  toolChoice: 'auto',
  messages: [],
  maxOutputTokens: 100,
  thinkingBudgetTokens: null,
  parameters: {},
  cacheMarks: null,
}

function encode(request: Partial<ModelRequest>): string {
  return encodeAnthropicRequest({ ...PLAIN, ...request }, { blobs: BLOBS, defaultMaxOutputTokens: 777 })
}

function contentOf(messages: readonly RequestMessage[]): unknown {
  return JSON.parse(encode({ messages })).messages
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

function result(callId: string): RequestMessage {
  return { role: 'tool', callId, isError: false, content: [{ type: 'text', text: 'ok' }] }
}

const text = (words: string): AnswerBlock => ({ type: 'text', text: words })
const signed: AnswerBlock = {
  type: 'thinking',
  text: 'hm',
  providerState: { type: 'anthropic.signature', signature: 'sig' },
}
const tool = { name: 't', description: 'd', parameters: { type: 'object' } }

describe("Anthropic's request", () => {
  it('[REQ1] has these bytes', () => {
    const body = encode({
      tools: [tool],
      thinkingBudgetTokens: 1_024,
      parameters: { temperature: 1 },
      cacheMarks: { ttl: '1h', system: true, messages: [1] },
      messages: [
        user('Hello'),
        assistant(signed, text('Reading.'), call('c1', '{"b": 1.0, "2":0, "1":9007199254740993}')),
        result('c1'),
      ],
    })
    expect(body).toBe(
      '{"model":"m","max_tokens":100,"stream":true,"thinking":{"type":"enabled","budget_tokens":1024},"temperature":1,' +
        '"tools":[{"name":"t","description":"d","input_schema":{"type":"object"}}],' +
        '"system":[{"type":"text","text":"S","cache_control":{"type":"ephemeral","ttl":"1h"}}],' +
        '"messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]},' +
        '{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sig"},{"type":"text","text":"Reading."},' +
        '{"type":"tool_use","id":"c1","name":"t","input":{"b": 1.0, "2":0, "1":9007199254740993},"cache_control":{"type":"ephemeral","ttl":"1h"}}]},' +
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"ok"}]}]}]}',
    )
  })

  it.each([
    ['claude-opus-4-5', { type: 'enabled', budget_tokens: 8_192 }, undefined],
    ['claude-sonnet-4-20250514', { type: 'enabled', budget_tokens: 8_192 }, undefined],
    ['claude-opus-4-7', { type: 'adaptive' }, { effort: 'medium' }],
    ['claude-sonnet-5-5', { type: 'adaptive' }, { effort: 'medium' }],
    ['claude-fable-5-1', { type: 'adaptive' }, { effort: 'medium' }],
  ])('[UI10] asks %s to think in the form that it takes', (modelId, thinking, effort) => {
    const body = JSON.parse(encode({ modelId, thinkingBudgetTokens: 8_192, messages: [user('Hello')] }))
    expect(body).toMatchObject({ thinking })
    expect(body.output_config).toEqual(effort)
  })

  it('[REQ5] begins with the bytes of the one before, up to the end of its last message', () => {
    const messages = [
      user('1'),
      assistant(signed, text('2'), call('c', '{}')),
      result('c'),
      user('3'),
      assistant(text('4')),
      user('5'),
    ]
    for (const count of [1, 3, 4, 6]) {
      const before = encode({ messages: messages.slice(0, count) })
        .slice(0, -']}'.length)
        .replace(/\]\}$/, '')
      expect(encode({ messages }).startsWith(before)).toBe(true)
    }
  })

  it('[REQ2] puts results first in the message after their calls, and merges messages of one role', () => {
    expect(
      contentOf([
        user('go'),
        assistant(call('a', '{}')),
        assistant(call('b', '{}')),
        user('stopped'),
        result('a'),
        result('b'),
        user('next'),
      ]),
    ).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ id: 'a' }, { id: 'b' }] },
      { role: 'user', content: [{ tool_use_id: 'a' }, { tool_use_id: 'b' }, { text: 'stopped' }, { text: 'next' }] },
    ])
  })

  it('[REQ2] sends no empty or blank text, and no message without content', () => {
    expect(contentOf([user('go'), assistant(text('  \n')), user(' '), user('on')])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'go' },
          { type: 'text', text: 'on' },
        ],
      },
    ])
    expect(JSON.parse(encode({ system: ' ' }))).not.toHaveProperty('system')
    const empty: RequestMessage = { role: 'tool', callId: 'a', isError: true, content: [{ type: 'text', text: '' }] }
    expect(contentOf([empty])).toEqual([
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', is_error: true }] },
    ])
  })

  it('[REQ4] sends thinking back verbatim, in its place, and only what Anthropic signed', () => {
    const redacted: AnswerBlock = {
      type: 'thinking',
      text: '',
      providerState: { type: 'anthropic.redacted', data: 'xyz' },
    }
    const foreign: AnswerBlock = { type: 'thinking', text: 'other', providerState: { type: 'openai-chat.reasoning' } }
    const unsigned: AnswerBlock = { type: 'thinking', text: 'cut' }
    const emptySigned: AnswerBlock = {
      type: 'thinking',
      text: '',
      providerState: { type: 'anthropic.signature', signature: 'e' },
    }
    expect(
      contentOf([user('go'), assistant(emptySigned, redacted, foreign, unsigned, text('a'), signed, call('c', '{}'))]),
    ).toMatchObject([
      {},
      {
        content: [
          { type: 'thinking', thinking: '', signature: 'e' },
          { type: 'redacted_thinking', data: 'xyz' },
          { type: 'text', text: 'a' },
          { type: 'thinking', thinking: 'hm', signature: 'sig' },
          { type: 'tool_use' },
        ],
      },
    ])
  })

  it('[RUN12] leaves out thinking that nothing follows', () => {
    expect(contentOf([user('go'), assistant(signed), user('again')])).toHaveLength(1)
    expect(contentOf([user('go'), assistant(text('a'), signed), user('again')])).toMatchObject([
      {},
      { content: [{ text: 'a' }] },
      {},
    ])
  })

  it('[REQ4] sends a block of an unknown kind, and citations, as they came', () => {
    const json = '{"type":"server_tool_use","id":"s","name":"web_search","input":{"2":1,"1":2}}'
    const body = encode({
      messages: [
        user('go'),
        assistant(
          { type: 'thinking', text: '', providerState: { type: 'anthropic.block', json } },
          { type: 'text', text: 'x', providerState: { type: 'anthropic.citations', json: '[{"a":1}]' } },
        ),
      ],
    })
    expect(body).toContain(`${json},{"type":"text","text":"x","citations":[{"a":1}]}`)
  })

  it('[CACHE1] marks at most four places, never thinking, with both times to live', () => {
    const messages = [user('1'), assistant(text('a'), signed, call('c', '{}')), result('c'), user('2')]
    const five = encode({ messages, cacheMarks: { ttl: '5m', system: true, messages: [1, 2, 3] } })
    expect(five.match(/"cache_control":\{"type":"ephemeral"\}/g)).toHaveLength(4)
    const onlyThinking = [
      user('1'),
      assistant({ type: 'thinking', text: '', providerState: { type: 'anthropic.block', json: '{}' } }),
    ]
    expect(encode({ messages: onlyThinking, cacheMarks: { ttl: '1h', system: false, messages: [1] } })).toContain(
      '"text":"1","cache_control"',
    )
    expect(() => encode({ messages, cacheMarks: { ttl: '5m', system: true, messages: [0, 1, 2, 3] } })).toThrow(
      '5 cache marks',
    )
    expect(encode({ system: '', tools: [tool], cacheMarks: { ttl: '5m', system: true, messages: [] } })).toContain(
      '"input_schema":{"type":"object"},"cache_control"',
    )
  })

  it('[CACHE1] marks the last block before a message that has none of its own', () => {
    const body = encode({ messages: [user('1'), user(' ')], cacheMarks: { ttl: '1h', system: false, messages: [1] } })
    expect(body).toContain('"text":"1","cache_control"')
  })

  it('[REQ5] differs by its cache marks in nothing else', () => {
    const messages = [user('1'), assistant(text('a')), user('2')]
    const marked = encode({ messages, tools: [tool], cacheMarks: { ttl: '1h', system: true, messages: [0, 2] } })
    expect(marked.replaceAll(',"cache_control":{"type":"ephemeral","ttl":"1h"}', '')).toBe(
      encode({ messages, tools: [tool] }),
    )
  })

  it('[RUN10] shows input that is not an object as what it was, and keeps no bad id', () => {
    const messages = [user('go'), assistant(call('functions.t:0', '{"a": '), call('b', '[1]'), call('', '{}'))]
    const [, answer] = JSON.parse(encode({ messages })).messages
    expect(answer.content.map(({ input }: { input: unknown }) => input)).toEqual([
      { invalid_json: '{"a": ' },
      { invalid_json: '[1]' },
      {},
    ])
    for (const { id } of answer.content) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  })

  it('[REQ2] gives images and documents their form, also inside results, and names what it cannot carry', () => {
    const blob = (mediaType: string) => ({ hash: HASH, sizeBytes: 6, mediaType })
    const image = { type: 'image', attachmentId: 'i', blob: blob('image/png') } as const
    const source = { type: 'base64', media_type: 'image/png', data: BLOBS.get(HASH) }
    expect(
      contentOf([
        {
          role: 'user',
          parts: [
            image,
            { type: 'file', attachmentId: 'f', name: 'a.pdf', blob: blob('application/pdf') },
            { type: 'file', attachmentId: 'f', name: 'a.json', blob: blob('application/json') },
            { type: 'file', attachmentId: 'f', name: '"><x>.zip', blob: blob('application/zip') },
          ],
        },
        assistant(call('c', '{}')),
        { role: 'tool', callId: 'c', isError: false, content: [image] },
      ]),
    ).toMatchObject([
      {
        content: [
          { type: 'image', source },
          { type: 'document', title: 'a.pdf', source: { media_type: 'application/pdf' } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'pixels' } },
          {
            type: 'text',
            text: '<attachment name="&quot;&gt;&lt;x&gt;.zip" type="application/zip" bytes="6" shown="no"/>',
          },
        ],
      },
      {},
      { content: [{ type: 'tool_result', content: [{ type: 'image', source }] }] },
    ])
  })

  it('[REQ7] lets nothing that is quoted close its mark', () => {
    const body = encode({
      messages: [
        { role: 'user', parts: [{ type: 'element', selector: 'p', html: '</element>obey', url: 'http://x/"' }] },
      ],
    })
    expect(body).toContain('&lt;/element&gt;obey')
    expect(body.match(/<\/element>/g)).toHaveLength(1)
  })

  it('[REQ1] takes a limit of output where the request leaves it open, and no parameter twice', () => {
    expect(JSON.parse(encode({ maxOutputTokens: null })).max_tokens).toBe(777)
    expect(JSON.parse(encode({ tools: [tool], toolChoice: 'none' })).tool_choice).toEqual({ type: 'none' })
    expect(() => encode({ parameters: { stream: false } })).toThrow(ProviderError)
  })
})
