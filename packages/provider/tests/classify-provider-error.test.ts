import { classifyProviderError, type ProviderAnswer } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { namedWindow } from '../src/errors/named-window.ts'
import { REFUSALS, type Refusal } from './support/refusals.ts'

function classified({
  vendor,
  status,
  body,
  headers,
}: Omit<Refusal, 'code'>): ReturnType<typeof classifyProviderError> {
  const bodyText = typeof body === 'string' ? body : JSON.stringify(body)
  const answer: ProviderAnswer = { vendor, status, bodyText, headers: headers ?? {}, nowMs: 0 }
  return classifyProviderError(answer)
}

describe('the classification of refusals', () => {
  for (const one of REFUSALS) {
    const words = JSON.stringify(one.body).slice(0, 90)
    it(`[RUN9] takes ${one.vendor} ${one.status ?? 'in a stream'} as ${one.code}: ${words}`, () => {
      expect(classified(one).code).toBe(one.code)
    })
  }

  it('[WIN8] reads the window of the model out of a refusal for its length, wherever it is named', () => {
    const all = REFUSALS.map(classified)
    expect(all.filter(({ code }) => code !== 'too-long').every(({ windowTokens }) => windowTokens === null)).toBe(true)
    const found = all.filter(({ code }) => code === 'too-long').map(({ windowTokens }) => windowTokens)
    expect(found).toEqual([
      ...[200_000, 200_000, null, 128_000],
      ...[131_072, null, 4_096, 4_096, 8_192, 32_768, null, 200_000, 1_048_576],
    ])
    expect(namedWindow('This model has a maximum prompt length of 131,072 but the request has 140,000')).toBe(131_072)
    expect(namedWindow('`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 and 500')).toBe(4_096)
    expect(namedWindow('The model’s context window of 7 is exceeded')).toBeNull()
  })

  it('[RUN7] never takes a status of "not now" for a length, whatever its words are', () => {
    for (const status of [429, 503, 529]) {
      for (const { vendor, body } of REFUSALS.filter(({ code }) => code === 'too-long')) {
        const bare =
          typeof body === 'object' && body !== null && 'error' in body
            ? JSON.stringify(body).replaceAll(/"(?:type|code)":"[^"]*",?/g, '')
            : ''
        expect(['rate-limit', 'overloaded', 'quota']).toContain(classified({ vendor, status, body: bare }).code)
      }
    }
  })

  it.each([
    [400, 'bad-request'],
    [401, 'auth'],
    [402, 'quota'],
    [403, 'auth'],
    [404, 'model-missing'],
    [408, 'network'],
    [413, 'too-long'],
    [422, 'bad-request'],
    [429, 'rate-limit'],
    [500, 'internal'],
    [502, 'network'],
    [503, 'overloaded'],
    [504, 'network'],
    [529, 'overloaded'],
    [599, 'internal'],
  ] as const)('[RUN9] takes status %i with a page of HTML as %s', (status, code) => {
    const error = classified({
      vendor: 'openai-compatible',
      status,
      body: '<html><title>Bad news</title><body>token limit 429 too</body></html>',
    })
    expect(error.code).toBe(code)
    expect(error.message).toContain('Bad news')
    expect(error.status).toBe(status)
  })

  it('[RUN9] survives bodies of every shape', () => {
    for (const body of [
      '',
      'null',
      '[]',
      '[null]',
      '3',
      '{"error":null}',
      '{"error":{"message":{"a":1}}}',
      '{"detail":[1]}',
      '\u0000',
    ]) {
      expect(classified({ vendor: 'openai', status: 400, body }).code).toBe('bad-request')
    }
  })

  it('[SEC4] keeps keys that a vendor repeats out of the message', () => {
    const error = classified({
      vendor: 'openai',
      status: 401,
      body: { error: { message: 'Incorrect API key provided: sk-proj-abcdefgh12345678.' } },
    })
    expect(error.message).not.toContain('abcdefgh')
    expect(error.message).toContain('[key]')
  })

  it.each([
    ['thinking is not supported by this model', 'thinking-parameters'],
    ['`max_tokens` must be greater than `thinking.budget_tokens`', 'thinking-parameters'],
    ["Unsupported parameter: 'reasoning_effort' is not supported with this model.", 'thinking-parameters'],
    ['"llama3" does not support thinking', 'thinking-parameters'],
    ['messages.1.content.0: Invalid `signature` in `thinking` block', 'thinking-signature'],
    ['Invalid signature in thinking block. The block is bound to a different conversation', 'thinking-signature'],
    [
      '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified',
      'thinking-signature',
    ],
    ['messages: roles must alternate', null],
  ] as const)('[RUN13] says what the engine can do about: %s', (message, detail) => {
    const error = classified({
      vendor: 'anthropic',
      status: 400,
      body: { error: { type: 'invalid_request_error', message } },
    })
    expect([error.code, error.detail]).toEqual(['bad-request', detail])
  })
})

describe('the wait that a refusal asks for', () => {
  const nowMs = Date.parse('2026-11-21T10:00:00Z')
  it.each([
    [{ 'retry-after': '7' }, {}, 7_000],
    [{ 'retry-after': '1.5' }, {}, 1_500],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, {}, 250],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT' }, {}, 30_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }, {}, 0],
    [{ 'retry-after': 'soon' }, {}, null],
    [{ 'retry-after': '-3' }, {}, null],
    [{}, { error: { message: 'x', details: [{ '@type': 'RetryInfo', retryDelay: '34.07s' }] } }, 34_070],
    [{}, {}, null],
  ] as const)('[RUN7] is read from %j and %j as %s ms', (headers, body, expected) => {
    const error = classifyProviderError({
      vendor: 'google',
      status: 429,
      bodyText: JSON.stringify(body),
      headers,
      nowMs,
    })
    expect(error.retryAfterMs).toBe(expected)
  })
})
