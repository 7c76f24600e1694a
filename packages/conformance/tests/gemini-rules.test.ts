import { checkGemini, type JsonRecord, type StrictModel } from '@holdfast/conformance'
import { describe, expect, it } from 'vitest'
import { seal, stateFor } from './state.ts'

function request(...contents: readonly unknown[]): JsonRecord {
  return { contents }
}

const user = (...parts: readonly unknown[]) => ({ role: 'user', parts })
const model = (...parts: readonly unknown[]) => ({ role: 'model', parts })
const text = (words: string) => ({ text: words })
const call = (name: string) => ({ functionCall: { name, args: {} } })
const signed = (name: string) => ({ ...call(name), thoughtSignature: seal(`${name}{}`, {}) })
const response = (name: string) => ({ functionResponse: { name, response: { lines: 1 } } })

const HELLO = user(text('Hello'))
const STRICT: Partial<StrictModel> = { callSignatures: 'required', prefill: 'refused' }

const accepted: readonly { readonly title: string; readonly body: JsonRecord }[] = [
  { title: 'one content without a role', body: request({ parts: [text('Hello')] }) },
  {
    title: 'parallel calls of which the first is signed',
    body: request(HELLO, model(signed('a'), call('b')), user(response('a'), response('b'))),
  },
  {
    title: 'two steps, each signed',
    body: request(HELLO, model(signed('a')), user(response('a')), model(signed('b')), user(response('b'))),
  },
  {
    title: 'unsigned calls of an earlier turn',
    body: request(HELLO, model(call('a')), user(response('a')), model(text('Yes')), HELLO),
  },
  {
    title: 'the sentinel for a foreign call',
    body: request(
      HELLO,
      model({ ...call('a'), thoughtSignature: 'skip_thought_signature_validator' }),
      user(response('a')),
    ),
  },
  {
    title: 'an empty text that carries a signature',
    body: request(HELLO, model(text('Yes'), { text: '', thoughtSignature: seal('', {}) }), HELLO),
  },
]

const MISSING = 'missing a thought_signature in functionCall parts'

const refused: readonly {
  readonly title: string
  readonly rule: string
  readonly body: JsonRecord
  readonly says: string
  readonly model?: Partial<StrictModel>
}[] = [
  { title: 'no contents', rule: 'SHAPE', body: request(), says: 'contents is not specified' },
  {
    title: 'an unknown role',
    rule: 'M1',
    body: request({ role: 'assistant', parts: [text('x')] }),
    says: 'Please use a valid role: user, model.',
  },
  {
    title: 'the model first',
    rule: 'M1',
    body: request(model(text('Hi')), HELLO),
    says: 'alternate between user and model',
  },
  {
    title: 'two user contents in a row',
    rule: 'M1',
    body: request(HELLO, HELLO),
    says: 'alternate between user and model',
  },
  { title: 'no parts', rule: 'M1', body: request(user()), says: 'parts must not be empty' },
  { title: 'an empty text', rule: 'M1', body: request(user(text(''))), says: 'must have a text parameter' },
  { title: 'an empty part', rule: 'SHAPE', body: request(user({})), says: 'required oneof field' },
  {
    title: 'a call without a response',
    rule: 'M1',
    body: request(HELLO, model(signed('a')), HELLO),
    says: 'equal to the number of function call parts',
  },
  {
    title: 'one of two responses',
    rule: 'M1',
    body: request(HELLO, model(signed('a'), call('b')), user(response('a'))),
    says: 'equal to the number of function call parts',
  },
  {
    title: 'a response without a call',
    rule: 'M1',
    body: request(HELLO, model(text('Yes')), user(response('a'))),
    says: 'immediately after a function call turn',
  },
  {
    title: 'a response of another name',
    rule: 'M1',
    body: request(HELLO, model(signed('a')), user(response('b'))),
    says: 'have the names',
  },
  {
    title: 'a call of the user',
    rule: 'M1',
    body: request(user(call('a'))),
    says: 'function call turn comes immediately after',
  },
  { title: 'a call at the end', rule: 'M1', body: request(HELLO, model(signed('a'))), says: 'end with a user role' },
  { title: 'the model last', rule: 'M1', body: request(HELLO, model(text('I'))), says: 'end with a user role' },
  {
    title: 'arguments that are no object',
    rule: 'M1',
    body: request(HELLO, model({ functionCall: { name: 'a', args: '{}' } }), user(response('a'))),
    says: 'protobuf.Struct',
  },
  {
    title: 'an unsigned call of this turn',
    rule: 'M2',
    body: request(HELLO, model(call('a')), user(response('a'))),
    says: MISSING,
  },
  {
    title: 'an unsigned second step',
    rule: 'M2',
    body: request(HELLO, model(signed('a')), user(response('a')), model(call('b')), user(response('b'))),
    says: MISSING,
  },
  {
    title: 'a signature on the second call instead of the first',
    rule: 'M2',
    body: request(HELLO, model(call('a'), signed('b')), user(response('a'), response('b'))),
    says: MISSING,
  },
  {
    title: 'a signature of another call',
    rule: 'M2',
    body: request(HELLO, model({ ...call('a'), thoughtSignature: seal('b{}', {}) }), user(response('a'))),
    says: 'Corrupted thought signature',
  },
  {
    title: 'a signature of another family',
    rule: 'M2',
    body: request(HELLO, model(signed('a')), user(response('a'))),
    model: { ...STRICT, family: 'family-b' },
    says: 'Corrupted thought signature',
  },
  {
    title: 'a prompt over the window',
    rule: 'SIZE',
    body: request(user(text('x'.repeat(4_004)))),
    model: { ...STRICT, contextWindow: 1_000 },
    says: 'The input token count (1005) exceeds the maximum number of tokens allowed (1000).',
  },
]

describe('Gemini', () => {
  it.each(accepted)('[REQ2, REQ4] accepts $title', ({ body }) => {
    expect(checkGemini(body, stateFor(STRICT))).toEqual([])
  })

  it.each(refused)('[REQ2, REQ4] refuses $title ($rule)', ({ body, rule, says, model: given }) => {
    const [first] = checkGemini(body, stateFor(given ?? STRICT))
    expect(first).toMatchObject({ rule, status: 400, body: { error: { code: 400, status: 'INVALID_ARGUMENT' } } })
    expect(first?.message).toContain(says)
  })
})
