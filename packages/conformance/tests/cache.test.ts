import {
  createStrictProvider,
  faultNamed,
  type JsonRecord,
  type StrictProvider,
  type UsageFigures,
} from '@holdfast/conformance'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createManualClock } from './manual-clock.ts'

const MINUTE_MS = 60_000
/** 1,500 tokens. */
const LONG = 'x'.repeat(6_000)

let provider: StrictProvider
let clock: ReturnType<typeof createManualClock>

beforeEach(async () => {
  clock = createManualClock()
  provider = await createStrictProvider({ clock })
})

afterEach(async () => {
  await provider.close()
})

async function post(path: string, body: JsonRecord, key = 'key'): Promise<UsageFigures | undefined> {
  const headers = { authorization: `Bearer ${key}`, 'x-api-key': key, 'x-goog-api-key': key }
  const response = await fetch(provider.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  await response.text()
  expect(response.status).toBe(200)
  return provider.requests.at(-1)?.usage
}

const block = (text: string, ttl?: '5m' | '1h') =>
  ttl === undefined ? { type: 'text', text } : { type: 'text', text, cache_control: { type: 'ephemeral', ttl } }

function messages(body: JsonRecord, key?: string) {
  return post('/v1/messages', { model: 'claude-sonnet-5-5', max_tokens: 100, ...body }, key)
}

const user = (...content: readonly object[]) => ({ role: 'user', content })

describe('a cache with marks', () => {
  it('[CACHE1] writes up to the last mark and reads it from the next', async () => {
    const system = [block(LONG, '1h')]
    expect(await messages({ system, messages: [user(block(LONG, '5m'), block('tail'))] })).toMatchObject({
      cacheReadTokens: 0,
      cacheWrite1hTokens: 1_500,
      cacheWrite5mTokens: 1_504,
      inputTokens: 1,
    })
    expect(await messages({ system, messages: [user(block(LONG), block('tail'), block('more', '5m'))] })).toMatchObject(
      {
        cacheReadTokens: 3_004,
        cacheWrite1hTokens: 0,
        cacheWrite5mTokens: 2,
        inputTokens: 0,
      },
    )
    expect(provider.requests[1]?.cacheBreak).toBeUndefined()
  })

  it('[CACHE1] keeps a prefix as long as its mark says, renewed by each reading', async () => {
    const body = { system: [block(LONG, '1h')], messages: [user(block(LONG, '5m'))] }
    const read = async (afterMs: number) => {
      clock.advance(afterMs)
      return (await messages(body))?.cacheReadTokens
    }
    expect(await read(0)).toBe(0)
    expect(await read(4 * MINUTE_MS)).toBe(3_004)
    expect(await read(4 * MINUTE_MS)).toBe(3_004)
    expect(await read(6 * MINUTE_MS)).toBe(1_500)
    expect(await read(61 * MINUTE_MS)).toBe(0)
  })

  it('[CACHE1] ignores a mark below the minimum', async () => {
    const body = { messages: [user(block('short', '5m'))] }
    await messages(body)
    expect(await messages(body)).toMatchObject({ cacheReadTokens: 0, cacheWrite5mTokens: 0 })
  })

  it.each([
    [18, 1_504],
    [19, 0],
  ])('[CACHE1] finds a prefix at most 20 blocks back: %i blocks between give %i', async (between, tokens) => {
    await messages({ messages: [user(block(LONG, '5m'))] })
    const more = Array.from({ length: between }, (_, index) => block(`${index}`))
    const usage = await messages({ messages: [user(block(LONG), ...more, block('last', '5m'))] })
    expect(usage?.cacheReadTokens).toBe(tokens)
  })

  it('[CACHE1] does not share a cache between keys or models', async () => {
    const body = { messages: [user(block(LONG, '5m'))] }
    await messages(body)
    expect((await messages(body, 'other'))?.cacheReadTokens).toBe(0)
    expect((await messages({ ...body, model: 'claude-sonnet-4-5' }))?.cacheReadTokens).toBe(0)
    expect((await messages(body))?.cacheReadTokens).toBe(1_504)
  })

  const SYSTEM = [block(LONG, '5m')]
  const TOOLS = [{ name: 'read', input_schema: {} }]
  const HISTORY = [user(block(LONG)), { role: 'assistant', content: 'Yes' }, user(block('And?', '5m'))]

  it.each([
    ['tools', { tools: [{ name: 'write', input_schema: {} }] }, 'tools.0', 0],
    ['system', { system: [block(`y${LONG}`, '5m')] }, 'system.0', 0],
    ['messages', { messages: [user(block(`y${LONG}`)), ...HISTORY.slice(1)] }, undefined, undefined],
    ['settings', { tool_choice: { type: 'none' } }, undefined, 1_510],
  ])('[CACHE4] says what broke the cache: %s', async (reason, change, path, readTokens) => {
    const body = { tools: TOOLS, system: SYSTEM, messages: HISTORY }
    const first = await messages(body)
    expect(first?.cacheReadTokens).toBe(0)
    const second = await messages({ ...body, ...change })
    const found = provider.requests[1]?.cacheBreak
    if (readTokens !== undefined) expect(second?.cacheReadTokens).toBe(readTokens)
    expect(found).toMatchObject({ previousRequest: 1, reason })
    if (path !== undefined) expect(found?.path).toBe(path)
    expect(found?.lostTokens).toBeGreaterThan(1_000)
  })

  it('[CACHE4] says that a prefix expired', async () => {
    const body = { messages: [user(block(LONG, '5m'))] }
    await messages(body)
    clock.advance(6 * MINUTE_MS)
    await messages(body)
    expect(provider.requests[1]?.cacheBreak).toMatchObject({ reason: 'lost', lostTokens: 1_504 })
  })

  it('[CACHE1] caches for Converse by its cache points', async () => {
    const content = [{ text: LONG }, { cachePoint: { type: 'default' } }]
    const path = `/model/${encodeURIComponent('anthropic.claude-sonnet-4-5-v1:0')}/converse`
    expect(await post(path, { messages: [{ role: 'user', content }] })).toMatchObject({ cacheWrite5mTokens: 1_504 })
    expect(await post(path, { messages: [{ role: 'user', content }] })).toMatchObject({ cacheReadTokens: 1_504 })
  })
})

describe('a cache without marks', () => {
  const chat = (text: string, more: JsonRecord = {}) =>
    post('/v1/chat/completions', { model: 'gpt-5.2', messages: [{ role: 'user', content: text }], ...more })

  it('reads the longest known prefix in steps of 128, from 1,024 on', async () => {
    expect((await chat(LONG))?.cacheReadTokens).toBe(0)
    expect((await chat(LONG))?.cacheReadTokens).toBe(1_408)
    expect((await chat(`${LONG.slice(0, 4_800)}changed`))?.cacheReadTokens).toBe(1_152)
    expect((await chat(`${LONG.slice(0, 3_000)}changed`))?.cacheReadTokens).toBe(0)
  })

  it('keeps keys of the cache and expired prefixes apart', async () => {
    await chat(LONG, { prompt_cache_key: 'a' })
    expect((await chat(LONG, { prompt_cache_key: 'b' }))?.cacheReadTokens).toBe(0)
    expect((await chat(LONG, { prompt_cache_key: 'a' }))?.cacheReadTokens).toBe(1_408)
    clock.advance(11 * MINUTE_MS)
    expect((await chat(LONG, { prompt_cache_key: 'a' }))?.cacheReadTokens).toBe(0)
  })

  it('reads whole prefixes for Gemini', async () => {
    const body = { contents: [{ role: 'user', parts: [{ text: LONG }] }] }
    await post('/v1beta/models/gemini-3-pro:generateContent', body)
    expect((await post('/v1beta/models/gemini-3-pro:generateContent', body))?.cacheReadTokens).toBe(1_503)
  })
})

describe('an ideal cache', () => {
  const ideal = () => provider.requests.at(-1)?.idealReadTokens

  it('[CACHE4] reads what two prompts share to the byte, without a mark, a minimum or a time', async () => {
    await messages({ messages: [user(block('short'))] })
    expect(ideal()).toBe(0)
    await messages({ messages: [user(block('short'), block('more'))] })
    expect(ideal()).toBe(6)
    expect(provider.requests.at(-1)?.usage?.cacheReadTokens).toBe(0)
    await messages({ messages: [user(block(LONG))] })
    clock.advance(61 * MINUTE_MS)
    await messages({ messages: [user(block(`${LONG.slice(0, 3_000)}changed`))] })
    expect(ideal()).toBeGreaterThan(740)
    expect(ideal()).toBeLessThan(760)
  })

  it('[CACHE4] reads the last token of a repeated prompt anew, and nothing of another owner', async () => {
    await messages({ messages: [user(block(LONG))] })
    await messages({ messages: [user(block(LONG))] })
    expect(ideal()).toBe(1_503)
    await messages({ messages: [user(block(LONG))] }, 'another key')
    expect(ideal()).toBe(0)
  })
})

describe('an answer that is cut', () => {
  it('[COST1] tells how much of it had been written', async () => {
    const fault = { fault: faultNamed('cut-between-events'), place: 'in-text' } as const
    provider.script({ parts: [{ type: 'text', text: 'Ü is one letter' }], chunkChars: 5, fault })
    await fetch(`${provider.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': 'key' },
      body: JSON.stringify({ model: 'claude-sonnet-5-5', max_tokens: 9, stream: true, messages: [user(block('Go'))] }),
    })
      .then((response) => response.text())
      .catch(() => '')
    expect(provider.requests.at(-1)).toMatchObject({ ending: 'fault', deltaBytes: 6 })
  })
})

describe('counting', () => {
  it.each([
    [
      '/v1/messages/count_tokens',
      { model: 'claude-sonnet-5-5', messages: [user(block(LONG))] },
      { input_tokens: 1_504 },
    ],
    ['/v1/responses/input_tokens', { model: 'gpt-5.2', input: LONG }, { input_tokens: 1_504 }],
    ['/v1beta/models/gemini-3-pro:countTokens', { contents: [{ parts: [{ text: LONG }] }] }, { totalTokens: 1_504 }],
    [
      '/model/anthropic.claude-sonnet-4-5-v1%3A0/count-tokens',
      { input: { converse: { messages: [user({ text: LONG })] } } },
      { inputTokens: 1_504 },
    ],
  ])('counts at %s what the request itself costs', async (path, body, expected) => {
    const response = await fetch(provider.url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer key', 'x-goog-api-key': 'key' },
      body: JSON.stringify(body),
    })
    expect(await response.json()).toMatchObject(expected)
    expect(provider.requests[0]?.operation).toBe('count-tokens')
  })
})
