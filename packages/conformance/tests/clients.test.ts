import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { createStrictProvider, FORMATS, type Reply, type StrictProvider } from '@holdfast/conformance'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answersTo, asMessage, clientOf, MODEL_OF, READ_TOOL, readAll, userSays } from './clients.ts'

let provider: StrictProvider

beforeEach(async () => {
  provider = await createStrictProvider({})
})

afterEach(async () => {
  await provider.close()
})

const TWO_CALLS: Reply = {
  parts: [
    { type: 'thinking', text: 'Two files could hold it; both are worth a look.' },
    { type: 'text', text: 'I read both files — beide 📄.' },
    { type: 'tool-call', name: 'read', input: { path: 'a.txt' } },
    { type: 'tool-call', name: 'read', input: { path: 'b.txt' } },
  ],
}
const SECOND_STEP: Reply = {
  parts: [
    { type: 'thinking', text: 'One more.' },
    { type: 'tool-call', name: 'read', input: { path: 'c.txt' } },
  ],
}
const DONE: Reply = { parts: [{ type: 'text', text: 'All read.' }] }
const LONG_TEXT = 'A line of a long file.\n'.repeat(400)

/** How every signature of the provider begins: its first member is the family. */
const SEAL_START = Buffer.from('{"f":').toString('base64').slice(0, 6)

const SYSTEM: LanguageModelV4Message = { role: 'system', content: 'You read files.' }

describe.each(FORMATS)('%s, read by the vendor’s client', (format) => {
  const client = () => clientOf(format, provider, MODEL_OF[format])

  it('gives text, thinking and parallel calls as they were scripted', async () => {
    provider.script(TWO_CALLS)
    const parts = await readAll(client(), { prompt: [SYSTEM, userSays('Look.')] })
    const joined = (type: 'text-delta' | 'reasoning-delta') =>
      parts.map((part) => (part.type === type ? part.delta : '')).join('')
    expect(joined('text-delta')).toBe('I read both files — beide 📄.')
    if (format !== 'openai-chat')
      expect(joined('reasoning-delta')).toBe('Two files could hold it; both are worth a look.')
    const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [JSON.parse(part.input)] : []))
    expect(calls).toEqual([{ path: 'a.txt' }, { path: 'b.txt' }])
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'tool-calls' } })
    expect(provider.requests[0]?.deltaMs.length).toBeGreaterThan(4)
  })

  it('[REQ2, REQ4] accepts three steps of a tool loop that bring everything back', async () => {
    provider.script(TWO_CALLS, SECOND_STEP, DONE)
    const prompt = [SYSTEM, userSays('Look.')]
    for (let step = 0; step < 2; step += 1) {
      const message = asMessage(await readAll(client(), { prompt }))
      prompt.push(message, answersTo(message))
    }
    const parts = await readAll(client(), { prompt })
    expect(provider.requests.map(({ violations }) => violations)).toEqual([[], [], []])
    expect(provider.requests.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } })
    const signatures =
      Buffer.from(provider.requests[2]?.rawBody ?? [])
        .toString()
        .split(SEAL_START).length - 1
    // Chat Completions has no signatures.
    expect(signatures).toBe(format === 'openai-chat' ? 0 : 2)
  })

  it('[REQ2] refuses a call without a result in the vendor’s words', async () => {
    provider.script(TWO_CALLS)
    const message = asMessage(await readAll(client(), { prompt: [userSays('Look.')] }))
    const answers = answersTo(message)
    const half = answers.role === 'tool' ? { ...answers, content: answers.content.slice(0, 1) } : answers
    await expect(readAll(client(), { prompt: [userSays('Look.'), message, half] })).rejects.toMatchObject({
      statusCode: 400,
      isRetryable: false,
    })
    expect(provider.requests[1]?.violations.length).toBeGreaterThan(0)
  })

  it('counts a repeated prompt as read from the cache', async () => {
    provider.script(DONE, DONE)
    const mark = { anthropic: { cacheControl: { type: 'ephemeral' } }, bedrock: { cachePoint: { type: 'default' } } }
    const long = { ...userSays(LONG_TEXT), providerOptions: mark }
    const finish = async (prompt: readonly LanguageModelV4Message[]) => (await readAll(client(), { prompt })).at(-1)
    const first = await finish([SYSTEM, long])
    const second = await finish([
      SYSTEM,
      long,
      { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] },
      userSays('And?'),
    ])
    const readOf = (part: typeof first) => (part?.type === 'finish' ? (part.usage.inputTokens.cacheRead ?? 0) : -1)
    expect(readOf(first)).toBe(0)
    expect(readOf(second)).toBeGreaterThan(2_000)
    expect(readOf(second)).toBe(provider.requests[1]?.usage?.cacheReadTokens)
    expect(provider.requests[1]?.cacheBreak).toBeUndefined()
  })

  it('[STOP2] records when the client closed the connection', async () => {
    provider.script({ parts: [{ type: 'text', text: 'word '.repeat(1_000) }], deltasPerSecond: 200 })
    const stopping = new AbortController()
    const { stream } = await client().doStream({
      prompt: [userSays('Talk.')],
      maxOutputTokens: 4_000,
      abortSignal: stopping.signal,
    })
    let abortedMs = 0
    let deltas = 0
    const reading = async () => {
      for await (const part of stream) {
        if (part.type === 'text-delta') deltas += 1
        if (deltas === 5 && abortedMs === 0) {
          abortedMs = performance.now()
          stopping.abort()
        }
      }
    }
    await reading().catch(() => undefined)
    const [record] = provider.requests
    await record?.done
    expect(record?.ending).toBe('client-closed')
    expect(record?.endedMs).toBeUndefined()
    expect((record?.clientClosedMs ?? 0) - abortedMs).toBeGreaterThanOrEqual(0)
    expect((record?.clientClosedMs ?? 0) - abortedMs).toBeLessThan(1_000)
    expect(record?.deltaMs.length).toBeLessThan(300)
  })

  it('answers whole where no stream is asked for', async () => {
    provider.script(TWO_CALLS)
    const { content, finishReason } = await client().doGenerate({
      prompt: [userSays('Look.')],
      tools: [READ_TOOL],
      maxOutputTokens: 4_000,
    })
    const calls = content.flatMap((part) => (part.type === 'tool-call' ? [JSON.parse(part.input)] : []))
    expect(calls).toEqual([{ path: 'a.txt' }, { path: 'b.txt' }])
    expect(finishReason.unified).toBe('tool-calls')
    expect(provider.requests[0]?.operation).toBe('generate')
  })
})
