import { checkOpenaiChat, type JsonRecord, type StrictModel } from '@holdfast/conformance'
import { describe, expect, it } from 'vitest'
import { stateFor } from './state.ts'

function request(messages: readonly unknown[], more: JsonRecord = {}): JsonRecord {
  return { model: 'model-a', messages, ...more }
}

const says = (role: string, content: unknown) => ({ role, content })
const call = (id: string, given: unknown = '{"path":"a"}') => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: given },
})
const calls = (...list: readonly unknown[]) => ({ role: 'assistant', content: null, tool_calls: list })
const answer = (id: string, content = 'a line') => ({ role: 'tool', tool_call_id: id, content })

const HELLO = says('user', 'Hello')
const MOONSHOT: Partial<StrictModel> = { chatDialect: 'moonshot' }
const TEMPLATE: Partial<StrictModel> = { chatDialect: 'template' }

const accepted: readonly {
  readonly title: string
  readonly body: JsonRecord
  readonly model?: Partial<StrictModel>
}[] = [
  { title: 'one message', body: request([HELLO]) },
  { title: 'parts instead of a text', body: request([says('user', [{ type: 'text', text: 'Hello' }])]) },
  {
    title: 'parallel calls, each answered at once',
    body: request([HELLO, calls(call('a'), call('b')), answer('b'), answer('a'), HELLO]),
  },
  {
    title: 'an id of an earlier turn',
    body: request([HELLO, calls(call('a')), answer('a'), calls(call('a')), answer('a')]),
  },
  { title: 'an empty answer, as OpenAI does', body: request([HELLO, says('assistant', ''), HELLO]) },
  {
    title: 'usage asked for in a stream',
    body: request([HELLO], { stream: true, stream_options: { include_usage: true } }),
  },
  {
    title: 'reasoning inside the tool loop, for Moonshot',
    body: request([HELLO, { ...calls(call('a')), reasoning_content: 'one' }, answer('a')]),
    model: MOONSHOT,
  },
  {
    title: 'no reasoning in an earlier turn, for Moonshot',
    body: request([HELLO, calls(call('a')), answer('a'), says('assistant', 'Done'), HELLO]),
    model: MOONSHOT,
  },
  {
    title: 'short ids and one system message, for a template',
    body: request([says('system', 'x'), HELLO, calls(call('abcdefgh1')), answer('abcdefgh1')]),
    model: TEMPLATE,
  },
]

const refused: readonly {
  readonly title: string
  readonly rule: string
  readonly body: JsonRecord
  readonly says: string
  readonly model?: Partial<StrictModel>
}[] = [
  { title: 'no messages', rule: 'C1', body: request([]), says: 'empty array' },
  { title: 'an unknown role', rule: 'C1', body: request([says('model', 'x')]), says: "Invalid value: 'model'" },
  {
    title: 'a call without an answer',
    rule: 'O1',
    body: request([HELLO, calls(call('a')), HELLO]),
    says: 'did not have response messages: a',
  },
  {
    title: 'a call at the end',
    rule: 'O1',
    body: request([HELLO, calls(call('a'))]),
    says: 'did not have response messages: a',
  },
  {
    title: 'one of two answers',
    rule: 'O1',
    body: request([HELLO, calls(call('a'), call('b')), answer('a')]),
    says: 'response messages: b',
  },
  {
    title: 'a user between call and answer',
    rule: 'O1',
    body: request([HELLO, calls(call('a')), HELLO, answer('a')]),
    says: 'response messages: a',
  },
  {
    title: 'an answer without a call',
    rule: 'O1',
    body: request([HELLO, answer('a')]),
    says: "must be a response to a preceeding message with 'tool_calls'",
  },
  {
    title: 'two answers to one call',
    rule: 'O1',
    body: request([HELLO, calls(call('a')), answer('a'), answer('a')]),
    says: 'already been answered',
  },
  {
    title: 'two calls of one id',
    rule: 'O1',
    body: request([HELLO, calls(call('a'), call('a')), answer('a')]),
    says: 'duplicate tool call id',
  },
  {
    title: 'a call without an id',
    rule: 'O1',
    body: request([HELLO, calls(call('')), answer('')]),
    says: 'Missing required parameter',
  },
  {
    title: 'an id of 41 characters',
    rule: 'O1',
    body: request([HELLO, calls(call('x'.repeat(41))), answer('x'.repeat(41))]),
    says: 'maximum length 40',
  },
  {
    title: 'no content and no calls',
    rule: 'O1',
    body: request([HELLO, says('assistant', null)]),
    says: 'expected a string, got null',
  },
  {
    title: 'an empty list of calls',
    rule: 'C1',
    body: request([HELLO, { ...says('assistant', 'x'), tool_calls: [] }]),
    says: 'empty array',
  },
  {
    title: 'calls of a user',
    rule: 'C1',
    body: request([{ ...HELLO, tool_calls: [call('a')] }, answer('a')]),
    says: "role 'user'",
  },
  {
    title: 'arguments that are no text',
    rule: 'C1',
    body: request([HELLO, calls(call('a', { path: 'a' })), answer('a')]),
    says: 'expected a string, but got an object',
  },
  {
    title: 'arguments that are no JSON',
    rule: 'C1',
    body: request([HELLO, calls(call('a', '{"pa')), answer('a')]),
    says: 'JSON object',
  },
  {
    title: 'arguments that are no object',
    rule: 'C1',
    body: request([HELLO, calls(call('a', '["a"]')), answer('a')]),
    says: 'JSON object',
  },
  {
    title: 'an image in an answer',
    rule: 'C1',
    body: request([HELLO, calls(call('a')), { ...answer('a'), content: [{ type: 'image_url' }] }]),
    says: "only allowed for messages with role 'user'",
  },
  {
    title: 'usage asked for without a stream',
    rule: 'C2',
    body: request([HELLO], { stream_options: { include_usage: true } }),
    says: "only allowed when 'stream' is enabled",
  },
  {
    title: 'a prompt over the window',
    rule: 'SIZE',
    body: request([says('user', 'x'.repeat(4_004))]),
    model: { contextWindow: 1_000 },
    says: 'maximum context length is 1000 tokens. However, your messages resulted in 1005 tokens',
  },
  {
    title: 'more output than the model has',
    rule: 'SIZE',
    body: request([HELLO], { max_tokens: 70_000 }),
    says: 'max_tokens is too large',
  },
  { title: 'half a character', rule: 'SHAPE', body: request([says('user', '\ud800')]), says: 'could not parse' },
  {
    title: 'an empty answer, for Moonshot',
    rule: 'C1',
    body: request([HELLO, says('assistant', ''), HELLO]),
    model: MOONSHOT,
    says: "at position 1 with role 'assistant' must not be empty",
  },
  {
    title: 'an answer of spaces, for Moonshot',
    rule: 'C1',
    body: request([HELLO, says('assistant', ' \n'), HELLO]),
    model: MOONSHOT,
    says: 'must not be empty',
  },
  {
    title: 'an empty tool answer, for Moonshot',
    rule: 'C1',
    body: request([HELLO, { ...calls(call('a')), reasoning_content: 'x' }, answer('a', '')]),
    model: MOONSHOT,
    says: "role 'tool' must not be empty",
  },
  {
    title: 'a loop without its reasoning, for Moonshot',
    rule: 'C1',
    body: request([HELLO, calls(call('a')), answer('a')]),
    model: MOONSHOT,
    says: 'reasoning_content is missing in assistant tool call message at index 1',
  },
  {
    title: 'a second system message, for a template',
    rule: 'C1',
    body: request([HELLO, says('system', 'x')]),
    model: TEMPLATE,
    says: "Unexpected role 'system' after role 'user'",
  },
  {
    title: 'a user right after a tool, for a template',
    rule: 'C1',
    body: request([HELLO, calls(call('abcdefgh1')), answer('abcdefgh1'), HELLO]),
    model: TEMPLATE,
    says: "Unexpected role 'user' after role 'tool'",
  },
  {
    title: 'a long id, for a template',
    rule: 'C1',
    body: request([HELLO, calls(call('call_12345')), answer('call_12345')]),
    model: TEMPLATE,
    says: 'with a length of 9',
  },
  {
    title: 'the assistant last, for a template',
    rule: 'C1',
    body: request([HELLO, says('assistant', 'x')]),
    model: TEMPLATE,
    says: 'Expected last role User or Tool',
  },
]

describe('Chat Completions', () => {
  it.each(accepted)('[REQ2] accepts $title', ({ body, model }) => {
    expect(checkOpenaiChat(body, stateFor(model ?? {}))).toEqual([])
  })

  it.each(refused)('[REQ2] refuses $title ($rule)', ({ body, rule, says: words, model }) => {
    const [first] = checkOpenaiChat(body, stateFor(model ?? {}))
    expect(first).toMatchObject({ rule, status: 400, body: { error: { type: 'invalid_request_error' } } })
    expect(first?.message).toContain(words)
  })
})
