import { checkBedrockClaude, checkConverse, type JsonRecord, type StrictModel } from '@holdfast/conformance'
import { describe, expect, it } from 'vitest'
import { seal, stateFor } from './state.ts'

const TOOL_CONFIG = { tools: [{ toolSpec: { name: 'read', inputSchema: { json: { type: 'object' } } } }] }

function request(messages: readonly unknown[], more: JsonRecord = {}): JsonRecord {
  return { messages, toolConfig: TOOL_CONFIG, ...more }
}

const user = (...content: readonly unknown[]) => ({ role: 'user', content })
const assistant = (...content: readonly unknown[]) => ({ role: 'assistant', content })
const text = (words: string) => ({ text: words })
const call = (id: string, name = 'read') => ({ toolUse: { toolUseId: id, name, input: {} } })
const result = (id: string) => ({ toolResult: { toolUseId: id, content: [text('a line')] } })
const POINT = { cachePoint: { type: 'default' } }
const LONG_POINT = { cachePoint: { type: 'default', ttl: '1h' } }
const thought = (words: string) => ({
  reasoningContent: { reasoningText: { text: words, signature: seal(words, {}) } },
})

const HELLO = user(text('Hello'))

const accepted: readonly { readonly title: string; readonly body: JsonRecord }[] = [
  { title: 'one message', body: request([HELLO]) },
  {
    title: 'parallel calls with their results in one message',
    body: request([HELLO, assistant(call('a'), call('b')), user(result('a'), result('b'), text('Go on'))]),
  },
  { title: 'signed reasoning', body: request([HELLO, assistant(thought('one'), call('a')), user(result('a'))]) },
  {
    title: 'cache points after their content',
    body: request([user(text('a'), LONG_POINT, text('b'), POINT)], { system: [text('x'), LONG_POINT] }),
  },
]

const refused: readonly {
  readonly title: string
  readonly rule: string
  readonly body: JsonRecord
  readonly says: string
  readonly model?: Partial<StrictModel>
}[] = [
  { title: 'no messages', rule: 'B1', body: request([]), says: 'must start with a user message' },
  {
    title: 'the assistant first',
    rule: 'B1',
    body: request([assistant(text('Hi')), HELLO]),
    says: 'must start with a user message',
  },
  {
    title: 'two user messages in a row',
    rule: 'B1',
    body: request([HELLO, HELLO]),
    says: 'must alternate between user and assistant',
  },
  { title: 'a blank text', rule: 'B1', body: request([user(text(' '))]), says: 'is blank' },
  {
    title: 'a blank text in a result',
    rule: 'B1',
    body: request([HELLO, assistant(call('a')), user({ toolResult: { toolUseId: 'a', content: [text('')] } })]),
    says: 'is blank',
  },
  { title: 'empty content', rule: 'B1', body: request([user()]), says: 'is empty' },
  {
    title: 'a prefill where it is refused',
    rule: 'B1',
    body: request([HELLO, assistant(text('I'))]),
    model: { prefill: 'refused' },
    says: 'does not support assistant message prefill',
  },
  {
    title: 'a call without a result',
    rule: 'B2',
    body: request([HELLO, assistant(call('a')), HELLO]),
    says: 'Expected toolResult blocks at messages.2.content for the following Ids: a',
  },
  {
    title: 'results in two messages',
    rule: 'B1',
    body: request([HELLO, assistant(call('a'), call('b')), user(result('a')), user(result('b'))]),
    says: 'must alternate',
  },
  {
    title: 'a result without a call',
    rule: 'B2',
    body: request([user(result('a'))]),
    says: 'exceeds the number of toolUse blocks',
  },
  {
    title: 'a result twice',
    rule: 'B2',
    body: request([HELLO, assistant(call('a')), user(result('a'), result('a'))]),
    says: 'contain duplicate Ids: a',
  },
  {
    title: 'an id twice',
    rule: 'B3',
    body: request([HELLO, assistant(call('a'), call('a')), user(result('a'))]),
    says: 'contain duplicate Ids: a',
  },
  {
    title: 'tools in the history and none declared',
    rule: 'B2',
    body: { messages: [HELLO, assistant(call('a')), user(result('a'))] },
    says: 'toolConfig field must be defined',
  },
  {
    title: 'a name with a dot',
    rule: 'B3',
    body: request([HELLO, assistant(call('a', 'fs.read')), user(result('a'))]),
    says: 'regular expression pattern',
  },
  {
    title: 'an empty id',
    rule: 'B3',
    body: request([HELLO, assistant(call('')), user(result(''))]),
    says: 'regular expression pattern',
  },
  {
    title: 'altered reasoning',
    rule: 'B4',
    body: request([
      HELLO,
      assistant({ reasoningContent: { reasoningText: { text: 'two', signature: seal('one', {}) } } }, text('x')),
      HELLO,
    ]),
    says: 'The model returned the following errors',
  },
  {
    title: 'unsigned reasoning',
    rule: 'B4',
    body: request([HELLO, assistant({ reasoningContent: { reasoningText: { text: 'two' } } }, text('x')), HELLO]),
    says: 'Field required',
  },
  { title: 'a message of cache points', rule: 'B5', body: request([user(POINT)]), says: 'only cachePoint' },
  {
    title: 'a cache point before its content',
    rule: 'B5',
    body: request([user(POINT, text('a'))]),
    says: 'must follow',
  },
  {
    title: 'five cache points',
    rule: 'B5',
    body: request([user(...[1, 2, 3, 4, 5].flatMap((n) => [text(`${n}`), POINT]))]),
    says: 'At most 4',
  },
  {
    title: 'a long cache point after a short one',
    rule: 'B5',
    body: request([user(text('a'), POINT, text('b'), LONG_POINT)]),
    says: 'Longer ones must come first',
  },
  {
    title: 'a system message',
    rule: 'B6',
    body: request([HELLO, { role: 'system', content: [text('x')] }]),
    says: 'enum value set',
  },
  {
    title: 'a prompt over the window',
    rule: 'SIZE',
    body: request([user(text('x'.repeat(4_004)))]),
    model: { contextWindow: 1_000 },
    says: 'Input is too long for requested model.',
  },
]

describe('Converse', () => {
  it.each(accepted)('[REQ2, REQ4] accepts $title', ({ body }) => {
    expect(checkConverse(body, stateFor({}))).toEqual([])
  })

  it.each(refused)('[REQ2, REQ4] refuses $title ($rule)', ({ body, rule, says, model }) => {
    const [first] = checkConverse(body, stateFor(model ?? {}))
    expect(first).toMatchObject({ rule, status: 400 })
    expect(first?.message).toContain(says)
    expect(first?.body).toEqual({ message: first?.message })
  })
})

describe('Claude on Bedrock by its own route', () => {
  const right = {
    anthropic_version: 'bedrock-2023-05-31',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hello' }],
  }

  it('[REQ2] accepts a Messages body made for the route', () => {
    expect(checkBedrockClaude(right, stateFor({}))).toEqual([])
  })

  it('[REQ2] refuses what Anthropic refuses, in Bedrock’s shape', () => {
    const [first] = checkBedrockClaude({ ...right, messages: [] }, stateFor({}))
    expect(first).toMatchObject({ rule: 'A1', body: { message: 'messages: at least one message is required' } })
  })

  it.each(['model', 'stream'])('[REQ2] refuses a body with %s, which the address says', (name) => {
    expect(checkBedrockClaude({ ...right, [name]: true }, stateFor({}))).toMatchObject([{ path: name }])
  })

  it('[REQ2] refuses a body without its version', () => {
    const { anthropic_version: _, ...bare } = right
    expect(checkBedrockClaude(bare, stateFor({}))).toMatchObject([{ path: 'anthropic_version' }])
  })
})
