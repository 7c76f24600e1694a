import { checkOpenaiResponses, type JsonRecord, type StrictModel } from '@holdfast/conformance'
import { describe, expect, it } from 'vitest'
import { seal, stateFor } from './state.ts'

function request(input: unknown, more: JsonRecord = {}): JsonRecord {
  return { model: 'model-a', store: false, input, ...more }
}

const HELLO = { role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }
const said = (words: string) => ({ role: 'assistant', content: [{ type: 'output_text', text: words }] })
const call = (id: string, more: JsonRecord = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'read',
  arguments: '{}',
  ...more,
})
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'a line' })
const reasoning = (words: string, more: JsonRecord = {}) => ({
  type: 'reasoning',
  id: `rs_${words}`,
  summary: [{ type: 'summary_text', text: words }],
  encrypted_content: seal(words, {}),
  ...more,
})

const accepted: readonly { readonly title: string; readonly body: JsonRecord }[] = [
  { title: 'a text', body: request('Hello') },
  {
    title: 'parallel calls with their outputs',
    body: request([HELLO, call('a'), call('b'), output('a'), output('b'), said('Done'), HELLO]),
  },
  {
    title: 'reasoning with the call that it led to',
    body: request([HELLO, reasoning('one'), call('a', { id: 'fc_r1' }), output('a')]),
  },
  {
    title: 'reasoning, text, call',
    body: request([HELLO, reasoning('one'), said('I read'), call('a', { id: 'fc_r1' }), output('a')]),
  },
  {
    title: 'reasoning with an empty summary',
    body: request([HELLO, reasoning('', { id: 'rs_1', summary: [] }), said('Yes'), HELLO]),
  },
]

const refused: readonly {
  readonly title: string
  readonly rule: string
  readonly body: JsonRecord
  readonly says: string
  readonly status?: number
  readonly model?: Partial<StrictModel>
}[] = [
  { title: 'no input', rule: 'SHAPE', body: request([]), says: 'must be provided' },
  {
    title: 'a call without an output',
    rule: 'O1',
    body: request([HELLO, call('a')]),
    says: 'No tool output found for function call a.',
  },
  {
    title: 'an output without a call',
    rule: 'O1',
    body: request([HELLO, output('a')]),
    says: 'No tool call found for function call output with call_id a.',
  },
  {
    title: 'an output before its call',
    rule: 'O1',
    body: request([HELLO, output('a'), call('a')]),
    says: 'No tool output found',
  },
  {
    title: 'two outputs of one call',
    rule: 'O1',
    body: request([HELLO, call('a'), output('a'), output('a')]),
    says: 'Duplicate item',
  },
  {
    title: 'arguments that are no JSON',
    rule: 'O1',
    body: request([HELLO, call('a', { arguments: '{"p' }), output('a')]),
    says: 'JSON object',
  },
  { title: 'a call without an id', rule: 'O1', body: request([HELLO, call(''), output('')]), says: 'empty string' },
  {
    title: 'reasoning alone',
    rule: 'O2',
    body: request([HELLO, reasoning('one')]),
    says: 'without its required following item',
  },
  {
    title: 'reasoning before a user',
    rule: 'O2',
    body: request([HELLO, reasoning('one'), HELLO]),
    says: 'without its required following item',
  },
  {
    title: 'a call without the reasoning of its id',
    rule: 'O2',
    body: request([HELLO, call('a', { id: 'fc_r1' }), output('a')]),
    says: "without its required 'reasoning' item",
  },
  {
    title: 'an item twice',
    rule: 'O2',
    body: request([HELLO, reasoning('one'), said('a'), reasoning('one'), said('b'), HELLO]),
    says: 'Duplicate item found with id rs_one',
  },
  {
    title: 'reasoning without its content',
    rule: 'O3',
    status: 404,
    body: request([HELLO, reasoning('one', { encrypted_content: null }), said('a'), HELLO]),
    says: 'Items are not persisted',
  },
  {
    title: 'an item that is only named',
    rule: 'O3',
    status: 404,
    body: request([HELLO, { type: 'item_reference', id: 'rs_1' }, said('a')]),
    says: "Item with id 'rs_1' not found",
  },
  {
    title: 'an earlier response that is only named',
    rule: 'O3',
    body: request([HELLO], { previous_response_id: 'resp_1' }),
    says: "Previous response with id 'resp_1' not found",
  },
  {
    title: 'reasoning of another model',
    rule: 'O4',
    body: request([HELLO, reasoning('one'), said('a'), HELLO]),
    model: { family: 'family-b' },
    says: 'could not be verified',
  },
  {
    title: 'altered reasoning',
    rule: 'O4',
    body: request([HELLO, reasoning('one', { summary: [] }), said('a'), HELLO]),
    says: 'could not be verified',
  },
  {
    title: 'a user part of the assistant',
    rule: 'SHAPE',
    body: request([{ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }]),
    says: "Invalid value: 'input_text'",
  },
  {
    title: 'an unknown role',
    rule: 'SHAPE',
    body: request([{ role: 'tool', content: 'x' }]),
    says: "Invalid value: 'tool'",
  },
  {
    title: 'a prompt over the window',
    rule: 'SIZE',
    body: request('x'.repeat(4_004)),
    model: { contextWindow: 1_000 },
    says: 'exceeds the context window',
  },
]

describe('Responses', () => {
  it.each(accepted)('[REQ2, REQ4] accepts $title', ({ body }) => {
    expect(checkOpenaiResponses(body, stateFor({}))).toEqual([])
  })

  it.each(refused)('[REQ2, REQ4] refuses $title ($rule)', ({ body, rule, says, status, model }) => {
    const [first] = checkOpenaiResponses(body, stateFor(model ?? {}))
    expect(first).toMatchObject({ rule, status: status ?? 400, body: { error: { type: 'invalid_request_error' } } })
    expect(first?.message).toContain(says)
  })
})
