import { type ViolationCode, validateRequest } from '@holdfast/context'
import type { ModelRequest, RequestMessage } from '@holdfast/provider'
import { describe, expect, it, vi } from 'vitest'

const SIGNED = { type: 'thinking', text: 'hm', providerState: { signature: 'abc' } } as const

function call(callId: string, inputText: string) {
  return { type: 'tool-call', callId, name: 'read', inputText, complete: true } as const
}

function result(callId: string) {
  return { role: 'tool', callId, isError: false, content: [{ type: 'text', text: 'a' }] } as const
}

/** A request with everything in it that may be wrong. */
const VALID: ModelRequest = {
  modelId: 'm',
  system: 'Be brief.',
  tools: [
    { name: 'read', description: 'Reads', parameters: { type: 'object' } },
    { name: 'write', description: 'Writes', parameters: { type: 'object' } },
  ],
  toolChoice: 'auto',
  messages: [
    { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    {
      role: 'assistant',
      blocks: [SIGNED, { type: 'text', text: 'Looking' }, call('c1', '{}'), call('c2', ' {"a":1}')],
    },
    result('c1'),
    result('c2'),
    { role: 'user', parts: [{ type: 'text', text: 'Also this' }] },
    { role: 'assistant', blocks: [call('c3', '{}')] },
    result('c3'),
  ],
  maxOutputTokens: null,
  thinkingBudgetTokens: null,
  parameters: {},
  cacheMarks: { ttl: '5m', system: true, messages: [0, 3, 6] },
}

const [asked, answered, first, second, steered, again, third] = VALID.messages

/** The valid request with another value at a path such as `messages.1.blocks`. */
function edited(path: string, value: unknown): ModelRequest {
  return JSON.parse(JSON.stringify(withValue(VALID, path.split('.'), value)))
}

function withValue(node: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(node))
    return node.map((item, index) => (String(index) === key ? withValue(item, rest, value) : item))
  const fields = Object.entries(node ?? {})
  return Object.fromEntries(fields.map(([name, field]) => [name, name === key ? withValue(field, rest, value) : field]))
}

function withMessages(...messages: readonly (RequestMessage | undefined)[]): ModelRequest {
  return { ...VALID, cacheMarks: null, messages: messages.filter((message) => message !== undefined) }
}

const TWICE = {
  user: { role: 'user', parts: [{ type: 'text', text: 'Twice' }] },
  answer: { role: 'assistant', blocks: [{ type: 'text', text: 'So' }] },
} as const

/** Each single thing that may be wrong. */
const CORRUPTIONS: readonly (readonly [string, ViolationCode, ModelRequest])[] = [
  ['no message at all', 'no-messages', withMessages()],
  ['a role that does not exist', 'unknown-role', edited('messages.4.role', 'system')],
  ['an answer first', 'first-not-user', withMessages(answered, first, second, steered, again, third)],
  ['a result first', 'first-not-user', withMessages(first, second, steered, again, third)],
  ['an answer last', 'last-is-answer', withMessages(...VALID.messages, TWICE.answer)],
  [
    'two messages from the user',
    'not-alternating',
    withMessages(asked, TWICE.user, answered, first, second, steered, again, third),
  ],
  ['two answers', 'not-alternating', withMessages(asked, TWICE.answer, answered, first, second, steered, again, third)],
  ['a message without parts', 'empty-content', edited('messages.0.parts', [])],
  ['a message of blanks', 'empty-content', edited('messages.0.parts.0.text', ' \n')],
  ['a result without parts', 'empty-content', edited('messages.2.content', [])],
  ['a result of blanks', 'empty-content', edited('messages.2.content.0.text', '')],
  ['an answer with an empty text', 'empty-content', edited('messages.1.blocks.1.text', '')],
  ['an answer without blocks', 'answer-without-content', edited('messages.1.blocks', [])],
  ['an answer of thinking alone', 'answer-without-content', edited('messages.5.blocks', [SIGNED])],
  ['thinking at the end', 'thinking-at-end', edited('messages.5.blocks', [call('c3', '{}'), SIGNED])],
  ['thinking without a signature', 'unsigned-thinking', edited('messages.1.blocks.0.providerState', undefined)],
  ['a call without an id', 'empty-call-id', edited('messages.5.blocks.0.callId', '')],
  ['an id twice in one answer', 'repeated-call-id', edited('messages.1.blocks.3.callId', 'c1')],
  ['an id twice in the request', 'repeated-call-id', edited('messages.5.blocks.0.callId', 'c1')],
  ['a call without a result', 'call-without-result', withMessages(asked, answered, first, steered, again, third)],
  ['a last call without a result', 'call-without-result', withMessages(asked, answered, first, second, steered, again)],
  [
    'a result after something else',
    'call-without-result',
    withMessages(asked, answered, first, steered, second, again, third),
  ],
  ['a result twice', 'result-without-call', withMessages(asked, answered, first, first, second, steered, again, third)],
  ['a result for no call', 'result-without-call', edited('messages.6.callId', 'c9')],
  [
    'results in another order',
    'result-out-of-order',
    withMessages(asked, answered, second, first, steered, again, third),
  ],
  ['half an input', 'input-not-object', edited('messages.1.blocks.2.inputText', '{"pa')],
  ['an input that is a list', 'input-not-object', edited('messages.1.blocks.2.inputText', '[1]')],
  ['an input of nothing', 'input-not-object', edited('messages.1.blocks.2.inputText', '')],
  ['a cut call', 'incomplete-call', edited('messages.1.blocks.2.complete', false)],
  ['a call of no tool', 'unnamed-call', edited('messages.1.blocks.2.name', '')],
  ['half a character in a message', 'invalid-text', edited('messages.0.parts.0.text', 'a\ud800')],
  ['half a character in a result', 'invalid-text', edited('messages.2.content.0.text', '\udc00')],
  ['half a character in the instructions', 'invalid-text', edited('system', '\ud800!')],
  ['half a character escaped in an input', 'invalid-text', edited('messages.1.blocks.2.inputText', '{"a":"\\ud800"}')],
  ['half a character in a field name', 'invalid-text', edited('tools.0.parameters', { '\ud800': 1 })],
  ['a tool twice', 'repeated-tool', edited('tools.1.name', 'read')],
  ['a tool without a name', 'unnamed-tool', edited('tools.1.name', ' ')],
  ['five cache marks', 'cache-marks', edited('cacheMarks.messages', [0, 1, 2, 3])],
  ['a mark on no message', 'cache-marks', edited('cacheMarks.messages', [7])],
  ['a mark before the first message', 'cache-marks', edited('cacheMarks.messages', [-1])],
  ['marks that fall', 'cache-marks', edited('cacheMarks.messages', [3, 3])],
]

describe('the validator', () => {
  it('[REQ1] finds nothing wrong with a valid request', () => {
    expect(validateRequest(VALID)).toEqual([])
    expect(validateRequest(edited('system', 'Another text'))).toEqual([])
  })

  it.each(CORRUPTIONS)('[REQ2] finds %s', (_, code, request) => {
    expect(validateRequest(request).map((violation) => violation.code)).toContain(code)
  })

  it('[TOOL20] reads the input of each call once', () => {
    const reading = vi.spyOn(JSON, 'parse')
    try {
      expect(validateRequest(VALID)).toEqual([])
      expect(reading.mock.calls.map(([text]) => text)).toEqual(['{}', ' {"a":1}', '{}'])
    } finally {
      reading.mockRestore()
    }
  })

  it('[REQ2] says where it is wrong', () => {
    expect(validateRequest(withMessages(asked, answered, first, steered, again, third))).toEqual([
      { code: 'call-without-result', message: 1, text: 'Message 1: call c2 has no result directly after it' },
    ])
  })
})
