import { checkAnthropic, type JsonRecord, type StrictModel } from '@holdfast/conformance'
import { describe, expect, it } from 'vitest'
import { seal, stateFor } from './state.ts'

const TOOLS = [{ name: 'read', input_schema: { type: 'object' } }]

function request(messages: readonly unknown[], more: JsonRecord = {}): JsonRecord {
  return { model: 'model-a', max_tokens: 1_000, tools: TOOLS, messages, ...more }
}

function user(...content: readonly unknown[]): JsonRecord {
  return { role: 'user', content }
}

function assistant(...content: readonly unknown[]): JsonRecord {
  return { role: 'assistant', content }
}

const text = (words: string) => ({ type: 'text', text: words })
const call = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'a line' })
const thought = (words: string, previous = '') => ({
  type: 'thinking',
  thinking: words,
  signature: seal(words, { previous }),
})
const mark = (block: JsonRecord, ttl: '5m' | '1h' = '5m') => ({ ...block, cache_control: { type: 'ephemeral', ttl } })

const HELLO = user(text('Hello'))
const FIRST = thought('one')
const SECOND = thought('two', FIRST.signature)

interface Refused {
  readonly title: string
  readonly rule: string
  readonly body: JsonRecord
  readonly says: string
  readonly model?: Partial<StrictModel>
}

const accepted: readonly {
  readonly title: string
  readonly body: JsonRecord
  readonly model?: Partial<StrictModel>
}[] = [
  { title: 'one message', body: request([HELLO]) },
  { title: 'a text instead of blocks', body: request([{ role: 'user', content: 'Hello' }]) },
  { title: 'two user messages in a row', body: request([HELLO, user(text('More'))]) },
  {
    title: 'parallel calls with their results first, then text',
    body: request([HELLO, assistant(text('Yes'), call('a'), call('b')), user(result('b'), result('a'), text('Go on'))]),
  },
  {
    title: 'an id that comes again in no other call',
    body: request([HELLO, assistant(call('a')), user(result('a')), assistant(call('b')), user(result('b'))]),
  },
  { title: 'a prefill where it is allowed', body: request([HELLO, assistant(text('I'))]) },
  {
    title: 'four marks, long before short',
    body: request([user(mark(text('a'), '1h'), mark(text('b'), '1h'), mark(text('c')), mark(text('d')))]),
  },
  {
    title: 'signed thinking in its order',
    body: request([HELLO, assistant(FIRST, SECOND, call('a')), user(result('a'))], {
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      max_tokens: 2_000,
    }),
  },
  {
    title: 'instructions after the latest user message where the model takes them',
    body: request([HELLO, { role: 'system', content: 'Be brief.' }]),
    model: { systemMessages: 'allowed' },
  },
]

const refused: readonly Refused[] = [
  { title: 'no messages', rule: 'A1', body: request([]), says: 'at least one message' },
  {
    title: 'the assistant first',
    rule: 'A1',
    body: request([assistant(text('Hi')), HELLO]),
    says: 'first message must use the "user" role',
  },
  {
    title: 'an unknown role',
    rule: 'A1',
    body: request([{ role: 'tool', content: 'x' }]),
    says: "Input should be 'user' or 'assistant'",
  },
  {
    title: 'a call in a user message',
    rule: 'A1',
    body: request([user(call('a'))]),
    says: 'can only be in `assistant` messages',
  },
  {
    title: 'a result in an assistant message',
    rule: 'A1',
    body: request([HELLO, assistant(result('a')), HELLO]),
    says: 'can only be in `user` messages',
  },
  {
    title: 'a call without a result',
    rule: 'A2',
    body: request([HELLO, assistant(call('a')), HELLO]),
    says: 'without `tool_result` blocks immediately after: a',
  },
  {
    title: 'a call at the end',
    rule: 'A2',
    body: request([HELLO, assistant(call('a'))]),
    says: 'without `tool_result` blocks immediately after: a',
  },
  {
    title: 'one of two results',
    rule: 'A2',
    body: request([HELLO, assistant(call('a'), call('b')), user(result('a'))]),
    says: 'immediately after: b',
  },
  {
    title: 'text before a result',
    rule: 'A2',
    body: request([HELLO, assistant(call('a')), user(text('Go'), result('a'))]),
    says: 'immediately after: a',
  },
  {
    title: 'text between results',
    rule: 'A2',
    body: request([HELLO, assistant(call('a'), call('b')), user(result('a'), text('and'), result('b'))]),
    says: 'immediately after: b',
  },
  {
    title: 'a result one message too late',
    rule: 'A2',
    body: request([HELLO, assistant(call('a')), HELLO, user(result('a'))]),
    says: 'immediately after: a',
  },
  {
    title: 'a result without a call',
    rule: 'A2',
    body: request([user(result('a'))]),
    says: 'unexpected `tool_use_id`',
  },
  {
    title: 'two results of one call',
    rule: 'A2',
    body: request([HELLO, assistant(call('a')), user(result('a'), result('a'))]),
    says: 'each tool_use must have a single result',
  },
  {
    title: 'an id used twice',
    rule: 'A2',
    body: request([HELLO, assistant(call('a')), user(result('a')), assistant(call('a')), user(result('a'))]),
    says: 'ids must be unique',
  },
  {
    title: 'an id with a space',
    rule: 'A2',
    body: request([HELLO, assistant(call('a b')), user(result('a b'))]),
    says: 'should match pattern',
  },
  {
    title: 'an id of 65 characters',
    rule: 'A2',
    body: request([HELLO, assistant(call('x'.repeat(65))), user(result('x'.repeat(65)))]),
    says: 'should match pattern',
  },
  {
    title: 'an empty id',
    rule: 'A2',
    body: request([HELLO, assistant(call('')), user(result(''))]),
    says: 'should match pattern',
  },
  {
    title: 'input that is no object',
    rule: 'A2',
    body: request([HELLO, assistant({ ...call('a'), input: '{}' }), user(result('a'))]),
    says: 'valid dictionary',
  },
  { title: 'an empty text', rule: 'A3', body: request([user(text(''))]), says: 'must be non-empty' },
  { title: 'a text of spaces', rule: 'A3', body: request([user(text(' \n'))]), says: 'non-whitespace' },
  {
    title: 'an empty text inside a result',
    rule: 'A3',
    body: request([HELLO, assistant(call('a')), user({ ...result('a'), content: [text('')] })]),
    says: 'must be non-empty',
  },
  { title: 'empty content', rule: 'A3', body: request([HELLO, assistant(), HELLO]), says: 'non-empty content' },
  {
    title: 'empty instructions',
    rule: 'A3',
    body: request([HELLO], { system: [text('')] }),
    says: 'must be non-empty',
  },
  {
    title: 'a space at the end of a prefill',
    rule: 'A3',
    body: request([HELLO, assistant(text('I '))]),
    says: 'trailing whitespace',
  },
  {
    title: 'a prefill where it is refused',
    rule: 'A3',
    body: request([HELLO, assistant(text('I'))]),
    model: { prefill: 'refused' },
    says: 'must end with a user message',
  },
  {
    title: 'unsigned thinking',
    rule: 'A4',
    body: request([HELLO, assistant({ type: 'thinking', thinking: 'one' }, text('Yes')), HELLO]),
    says: 'signature: Field required',
  },
  {
    title: 'a made-up signature',
    rule: 'A4',
    body: request([HELLO, assistant({ ...FIRST, signature: 'QUJD' }, text('Yes')), HELLO]),
    says: 'Invalid `signature`',
  },
  {
    title: 'altered thinking',
    rule: 'A4',
    body: request([HELLO, assistant({ ...FIRST, thinking: 'One' }, text('Yes')), HELLO]),
    says: 'cannot be modified',
  },
  {
    title: 'reordered thinking',
    rule: 'A4',
    body: request([HELLO, assistant(SECOND, FIRST, text('Yes')), HELLO]),
    says: 'cannot be modified',
  },
  {
    title: 'thinking of another family',
    rule: 'A4',
    body: request([HELLO, assistant(FIRST, text('Yes')), HELLO]),
    model: { family: 'family-b' },
    says: 'Invalid `signature`',
  },
  {
    title: 'open calls without their thinking',
    rule: 'A4',
    body: request([HELLO, assistant(call('a')), user(result('a'))], {
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      max_tokens: 2_000,
    }),
    says: 'must start with a thinking block',
  },
  {
    title: 'five marks',
    rule: 'A6',
    body: request([user(...['a', 'b', 'c', 'd', 'e'].map((word) => mark(text(word))))]),
    says: 'Found 5',
  },
  {
    title: 'a mark on thinking',
    rule: 'A6',
    body: request([HELLO, assistant(mark(FIRST), text('Yes')), HELLO]),
    says: 'Extra inputs are not permitted',
  },
  {
    title: 'a long mark after a short one',
    rule: 'A6',
    body: request([user(mark(text('a')), mark(text('b'), '1h'))]),
    says: 'must not come after',
  },
  {
    title: 'a mark on an empty text',
    rule: 'A3',
    body: request([user(mark(text('')))]),
    says: 'cannot be set for empty text',
  },
  {
    title: 'instructions between messages',
    rule: 'A8',
    body: request([HELLO, { role: 'system', content: 'x' }]),
    says: 'Unexpected role "system"',
  },
  {
    title: 'instructions right before a user message',
    rule: 'A8',
    body: request([HELLO, { role: 'system', content: 'x' }, HELLO]),
    model: { systemMessages: 'allowed' },
    says: 'must directly follow a `user` message',
  },
  {
    title: 'a prompt over the window',
    rule: 'SIZE',
    body: request([user(text('x'.repeat(4_004)))]),
    model: { contextWindow: 1_000 },
    says: 'prompt is too long: 1019 tokens > 1000 maximum',
  },
  {
    title: 'more output than the model has',
    rule: 'SIZE',
    body: request([HELLO], { max_tokens: 70_000 }),
    says: 'max_tokens: 70000 > 64000',
  },
  {
    title: 'no max_tokens',
    rule: 'SHAPE',
    body: { model: 'model-a', messages: [HELLO] },
    says: 'max_tokens: Field required',
  },
  { title: 'half a character', rule: 'SHAPE', body: request([user(text('\ud800'))]), says: 'not valid JSON' },
  {
    title: 'two tools of one name',
    rule: 'SHAPE',
    body: request([HELLO], { tools: [...TOOLS, ...TOOLS] }),
    says: 'must be unique',
  },
]

describe('Anthropic Messages', () => {
  it.each(accepted)('[REQ2] accepts $title', ({ body, model }) => {
    expect(checkAnthropic(body, stateFor(model ?? {}))).toEqual([])
  })

  it.each(refused)('[REQ2] refuses $title ($rule)', ({ body, rule, says, model }) => {
    const [first, ...others] = checkAnthropic(body, stateFor(model ?? {}))
    expect(first).toMatchObject({
      rule,
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error' } },
    })
    expect(first?.message).toContain(says)
    expect(others.every((violation) => violation.rule === rule || rule === 'A1')).toBe(true)
  })

  it('[RUN12] refuses an answer that holds only thinking', () => {
    const [first] = checkAnthropic(request([HELLO, assistant(FIRST), HELLO]), stateFor({}))
    expect(first?.message).toBe('messages.1: The final block in an assistant message cannot be `thinking`.')
  })
})
