import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createModel, createStrictProvider, FORMATS, type StrictProvider } from '@holdfast/conformance'
import { afterEach, describe, expect, it } from 'vitest'
import { runCommand } from '../src/command/run.ts'
import { readScriptFile } from '../src/command/script-file.ts'
import { createManualClock } from './manual-clock.ts'
import { post, smallRequest } from './raw-client.ts'

let provider: StrictProvider | undefined

afterEach(async () => {
  await provider?.close()
  provider = undefined
})

const PATIENCE_MS = 10_000

function replyOf(text: string) {
  return { parts: [{ type: 'text', text }] } as const
}

describe('scripts', () => {
  it('answers by rule first, then by the queue, then by default', async () => {
    provider = await createStrictProvider({})
    provider.otherwise((request) => replyOf(`default ${request.number}`))
    provider.script(replyOf('first'), replyOf('second'))
    provider.when(({ body }) => JSON.stringify(body).includes('title'), replyOf('a title'))
    const answers: string[] = []
    for (const text of ['one', 'title', 'two', 'three']) {
      const { bytes } = await post(provider, smallRequest('gemini', text), PATIENCE_MS)
      answers.push([...bytes.toString().matchAll(/"text":"([^"]*)"/g)].map(([, piece]) => piece).join(''))
    }
    expect(answers).toEqual(['first', 'a title', 'second', 'default 4'])
  })

  it('names the namespace of a call where the format has them', async () => {
    provider = await createStrictProvider({})
    const call = { type: 'tool-call', name: 'add_card', namespace: 'mcp__house', input: {} } as const
    for (const [format, isNamed] of [
      ['openai-responses', true],
      ['openai-chat', false],
    ] as const) {
      provider.script({ parts: [call] })
      const { bytes } = await post(provider, smallRequest(format, 'Hello'), PATIENCE_MS)
      expect(bytes.toString()).toContain('add_card')
      expect(bytes.toString().includes('"namespace":"mcp__house"')).toBe(isNamed)
    }
  })

  it('does not use up a reply for a refused request', async () => {
    provider = await createStrictProvider({})
    provider.script(replyOf('first'))
    const refused = { path: '/v1/messages', body: { model: 'claude-opus-5-5', max_tokens: 10, messages: [] } }
    expect((await post(provider, refused, PATIENCE_MS)).status).toBe(400)
    expect((await post(provider, smallRequest('anthropic', 'Hello'), PATIENCE_MS)).bytes.toString()).toContain('first')
  })

  it('never cuts a character in two', async () => {
    provider = await createStrictProvider({})
    provider.script({ ...replyOf('a📄b👩‍💻c'), chunkChars: 1 })
    const { bytes } = await post(provider, smallRequest('anthropic', 'Hello'), PATIENCE_MS)
    expect(bytes.toString()).toContain('"text":"📄"')
    expect(bytes.toString()).not.toContain('\\ud8')
  })

  it('paces deltas on its clock and writes the same bytes for the same seed', async () => {
    const record = async () => {
      const clock = createManualClock()
      provider = await createStrictProvider({ clock })
      provider.script({ ...replyOf('a'.repeat(24)), chunkChars: 1, deltasPerSecond: 50, firstByteAfterMs: 300 })
      const { bytes } = await post(provider, smallRequest('anthropic', 'Hello'), PATIENCE_MS)
      const [request] = provider.requests
      await provider.close()
      provider = undefined
      return { bytes, request }
    }
    const first = await record()
    const deltas = first.request?.deltaMs ?? []
    expect(deltas).toHaveLength(24)
    expect((deltas[23] ?? 0) - (deltas[0] ?? 0)).toBe(23 * 20)
    expect((first.request?.headersWrittenMs ?? 0) - (first.request?.receivedMs ?? 0)).toBe(300)
    expect((await record()).bytes).toEqual(first.bytes)
  })
})

describe('the record of a request', () => {
  it('holds the raw bytes and no secret', async () => {
    provider = await createStrictProvider({})
    const sent = smallRequest('gemini', 'Hällo')
    await post(provider, { ...sent, path: `${sent.path}&key=key-for-tests` }, PATIENCE_MS)
    const [record] = provider.requests
    expect(Buffer.from(record?.rawBody ?? []).toString()).toBe(JSON.stringify(sent.body))
    expect(record?.headers['x-goog-api-key']).toBe('[redacted]')
    expect(JSON.stringify({ ...record, rawBody: '' })).not.toContain('key-for-tests')
    expect(record?.ending).toBe('finished')
    expect(record?.firstByteMs).toBeGreaterThanOrEqual(record?.headersWrittenMs ?? 0)
    expect(record?.endedMs).toBeGreaterThanOrEqual(record?.firstByteMs ?? 0)
  })

  it.each(FORMATS)('[STOP2, STOP3] of %s says when the client left a silent connection', async (format) => {
    provider = await createStrictProvider({})
    provider.script({ ...replyOf('never'), firstByteAfterMs: 60_000 })
    const { ending } = await post(provider, smallRequest(format, 'Hello'), 50)
    expect(ending).toBe('silent')
    const [record] = provider.requests
    await record?.done
    expect(record?.ending).toBe('client-closed')
    expect(record?.clientClosedMs).toBeGreaterThan(record?.receivedMs ?? 0)
    expect(record?.firstByteMs).toBeUndefined()
  })
})

describe('what every vendor refuses', () => {
  it.each(FORMATS)(
    '[RUN9] %s: no key, an unknown model, a body that is no JSON, a body that is too large',
    async (format) => {
      provider = await createStrictProvider({ maxBodyBytes: 5_000 })
      const { path, body } = smallRequest(format, 'Hello')
      const status = async (url: string, sent: string, headers: Record<string, string>) => {
        const response = await fetch(url, { method: 'POST', body: sent, headers })
        expect(response.headers.get('content-type')).toBe('application/json')
        await response.json()
        return response.status
      }
      const key = { authorization: 'Bearer key', 'x-goog-api-key': 'key' }
      const right = JSON.stringify(body)
      const wrongModel = (text: string) =>
        text.replace(/claude-opus-5-5|gpt-5\.2|gemini-3-pro|anthropic\.claude[^/]*/g, 'no-such-model')
      expect(await status(provider.url + path, right, {})).toBe(401)
      expect(await status(provider.url + wrongModel(path), wrongModel(right), key)).toBe(404)
      expect(await status(provider.url + path, '{"messages":', key)).toBe(400)
      expect(await status(provider.url + path, right + ' '.repeat(6_000), key)).toBe(413)
      expect(await status(`${provider.url}/v1/nothing`, right, key)).toBe(404)
    },
  )

  it('lists its models with their windows', async () => {
    provider = await createStrictProvider({
      models: [createModel({ id: 'model-a', contextWindow: 8_000 })],
      requiresKey: false,
    })
    const list: unknown = await (await fetch(`${provider.urls.openai}/models`)).json()
    expect(list).toMatchObject({ data: [{ id: 'model-a', context_length: 8_000 }] })
  })
})

describe('the command', () => {
  it('serves a script until it is interrupted, and says what became of each request', async () => {
    const stop = new AbortController()
    const lines: string[] = []
    const served = Promise.withResolvers<string>()
    const say = (line: string) => {
      lines.push(line)
      const url = /answers at (\S+)/.exec(line)?.[1]
      if (url !== undefined) served.resolve(url)
    }
    const running = runCommand({ args: ['serve', '--port', '0', '--no-key'], say, complain: say, signal: stop.signal })
    const url = await served.promise
    const body = JSON.stringify({ model: 'gpt-5.2', messages: [] })
    expect((await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })).status).toBe(400)
    stop.abort()
    expect(await running).toBe(0)
    expect(lines.join('\n')).toContain("#1 openai-chat generate gpt-5.2 400 finished\n    C1 Invalid 'messages'")
  })

  it('lists the faults', async () => {
    const lines: string[] = []
    const say = (line: string) => void lines.push(line)
    expect(await runCommand({ args: ['faults'], say, complain: say, signal: AbortSignal.abort() })).toBe(0)
    expect(lines).toContain('unsigned-thinking  whole  in-thinking')
  })

  it('says what is wrong with what was asked for, and throws nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-strict-'))
    const broken = join(folder, 'broken.json')
    await writeFile(broken, '{"replies":[{"parts":[{"type":"txt"}]}]}')
    const taken = await createStrictProvider({})
    try {
      const asked: readonly (readonly [readonly string[], number, string])[] = [
        [['dance'], 2, 'There is no command "dance"'],
        [['serve', '--port', 'x'], 2, '--port is a number from 0 to 65535, not x'],
        [['serve', '--porte', '1'], 2, "Unknown option '--porte'"],
        [['serve', '--script', join(folder, 'none.json')], 1, 'cannot be read'],
        [['serve', '--script', broken], 1, `${broken}: replies[0].parts[0].type is text`],
        [['serve', '--port', new URL(taken.url).port], 1, 'The port cannot be used'],
      ]
      for (const [args, code, words] of asked) {
        const said: string[] = []
        const complained: string[] = []
        const say = (line: string) => void said.push(line)
        const complain = (line: string) => void complained.push(line)
        expect(await runCommand({ args, say, complain, signal: AbortSignal.abort() }), args.join(' ')).toBe(code)
        expect(complained.join('\n')).toContain(words)
        expect(said).toEqual([])
      }
    } finally {
      await taken.close()
      await rm(folder, { recursive: true })
    }
  })

  it('reads a script file and names what is wrong in it', () => {
    const fault = { name: 'hang', place: 'in-text' }
    const read = readScriptFile({ replies: [{ parts: [{ type: 'text', text: 'Hi' }], deltasPerSecond: 20, fault }] })
    expect(read.replies[0]).toMatchObject({ deltasPerSecond: 20, fault: { fault: { name: 'hang' }, place: 'in-text' } })
    expect(() => readScriptFile({ replies: [{ parts: [{ type: 'txt' }] }] })).toThrow(
      'replies[0].parts[0].type is text',
    )
    expect(() => readScriptFile({ otherwise: { parts: [], finish: 'x' } })).toThrow('otherwise.finish is one of end')
    expect(() => readScriptFile({ replies: [{ parts: [], fault: { name: 'x' } }] })).toThrow('no fault named x')
  })
})
