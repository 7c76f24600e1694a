import { PassThrough } from 'node:stream'
import { hiddenCharacter } from '@holdfast/conversation'
import { createManualClock } from '@holdfast/engine/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundedFetch } from '../src/bounded-fetch.ts'
import { hiddenIn } from '../src/hidden-text.ts'
import { createLineReader } from '../src/line-reader.ts'
import { readOffer } from '../src/offered-tool.ts'
import { pauseBefore } from '../src/pause-before.ts'
import { createServerLog } from '../src/server-log.ts'
import { toolNameOf } from '../src/tool-name.ts'

describe('names of tools', () => {
  it('[TOOL9] stay as they are where they can, and are marked where they cannot', () => {
    expect(toolNameOf('github', 'create_issue')).toBe('github__create_issue')
    expect(toolNameOf('my server', 'a.b')).toMatch(/^my_server__a_b_[0-9a-f]{8}$/)
    expect(toolNameOf('s', 'x'.repeat(100))).toHaveLength(64)
  })

  it('[TOOL9] never meet: another server or another tool is another name', () => {
    const server = fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9 .-]{0,6}[A-Za-z0-9])?$/)
    const tool = fc.string({ minLength: 1, maxLength: 80 })
    fc.assert(
      fc.property(server, tool, server, tool, (a, x, b, y) => {
        fc.pre(a !== b || x !== y)
        return toolNameOf(a, x) !== toolNameOf(b, y) && /^[A-Za-z0-9_-]{1,64}$/.test(toolNameOf(a, x))
      }),
    )
    expect(toolNameOf('a', 'b_c')).not.toBe(toolNameOf('a', 'b c'))
    expect(toolNameOf('a', `${'x'.repeat(90)}1`)).not.toBe(toolNameOf('a', `${'x'.repeat(90)}2`))
  })
})

describe('characters that nobody sees', () => {
  it.each([
    ['a tag', 'a\u{e0061}b'],
    ['a width of nothing', 'a\u200bb'],
    ['a mark of direction', 'a\u202eb'],
    ['an isolate', 'a\u2066b'],
    ['a joiner between Latin letters', 'a\u200db'],
    ['a word joiner', 'a\u2060b'],
    ['a soft hyphen', 'a\u00adb'],
    ['a byte order mark', '\ufeffa'],
    ['a variation mark behind a letter', 'a\ufe00b'],
    ['one of the other variation marks', 'a\u{e0100}b'],
    ['a Hangul filler', 'a\u3164b'],
    ['half a pair', 'a\ud800b'],
    ['an escape', 'a\u001bb'],
    ['a line separator', 'a\u2028b'],
    ['a private character', 'a\ue000b'],
  ])('[REQ7] %s is found', (_, text) => {
    expect(hiddenCharacter(text)).toMatch(/^U\+[0-9A-F]{4,5}$/)
    expect(hiddenIn({ deep: [{ [text]: 1 }] })).toBe(hiddenCharacter(text))
    expect(hiddenIn({ deep: [{ a: text }] })).toBe(hiddenCharacter(text))
  })

  it.each([
    'plain text\nwith lines\tand tabs',
    'Größe, naïve, 日本語、한국어',
    'full width　space',
    'Warning \u26a0\ufe0f and a family \u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    'می\u200cخواهم',
    'क्\u200dष',
    'a\u00a0b',
  ])('[REQ7] %j has none', (text) => {
    expect(hiddenCharacter(text)).toBeNull()
  })
})

describe('bounds on a server', () => {
  it('[TOOL9] the pause before an attempt doubles up to a minute', () => {
    expect([1, 2, 3, 4, 8, 9, 1_000].map(pauseBefore)).toEqual([0, 1_000, 2_000, 4_000, 60_000, 60_000, 60_000])
  })

  it('[TOOL9] more messages than a second may have wait in the pipe for the next', async () => {
    const clock = createManualClock()
    const pipe = new PassThrough()
    const taken: string[] = []
    createLineReader({ clock, take: (line) => taken.push(line), onTooLong() {} }).read(pipe)
    pipe.write('a\n'.repeat(2_500))
    await new Promise(setImmediate)
    pipe.write('b\n')
    await new Promise(setImmediate)
    expect(taken.includes('b')).toBe(false)
    await clock.advance(1_000)
    await new Promise(setImmediate)
    expect(taken.at(-1)).toBe('b')
  })

  it('[RUN34] messages that take long are taken for 5 ms at a time, in their order', async () => {
    let now = 0
    const waiting: (() => void)[] = []
    const clock = {
      ...createManualClock(),
      monotonicMs: () => now,
      after(_: number, run: () => void) {
        waiting.push(run)
        return () => {}
      },
    }
    const pipe = new PassThrough()
    const taken: string[] = []
    const turns: number[] = []
    createLineReader({
      clock,
      take(line) {
        now += 1
        taken.push(line)
      },
      onTooLong() {},
    }).read(pipe)
    const lines = Array.from({ length: 100 }, (_, number) => `line ${number}`)
    pipe.write(lines.map((line) => `${line}\n`).join(''))
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      turns.push(taken.length)
      for (const run of waiting.splice(0)) run()
      await new Promise(setImmediate)
    }
    expect(taken).toEqual(lines)
    expect(turns.length).toBeGreaterThanOrEqual(15)
    expect(Math.max(...turns.map((count, at) => count - (turns[at - 1] ?? 0)))).toBeLessThanOrEqual(6)
    pipe.write('and on\n')
    await new Promise(setImmediate)
    expect(taken.at(-1)).toBe('and on')
  })

  it('[TOOL9] a log keeps the newest lines, cut, without colours and without what is hidden', () => {
    const log = createServerLog({ clock: createManualClock(), hide: (text) => text.replaceAll('secret', '[hidden]') })
    for (let line = 0; line < 3_000; line++) log.add('server', `line ${line}`)
    log.addBytes(Buffer.from('half a li'))
    log.addBytes(Buffer.from(`ne \u001b[31msecret\u001b[0m ${'x'.repeat(9_000)}\nrest`))
    expect(log.lines()).toHaveLength(500)
    expect(log.lines().at(-1)?.text).toMatch(/^half a line \[hidden\] x+$/)
    expect(log.lines().at(-1)?.text.length).toBeLessThanOrEqual(2_002)
  })

  it('[WS5, SEC24] a server makes us ask no address that is neither its own nor https of the public internet', async () => {
    const asked: string[] = []
    const ask = async (input: Parameters<typeof fetch>[0]): Promise<Response> => {
      asked.push(String(input))
      return new Response('{}')
    }
    const isPublicHost = async ({ hostname }: URL) => !/^10\.|^192\.168\.|inner/.test(hostname)
    const deps = { ask, headers: {}, isPublicHost }
    const far = boundedFetch(new URL('https://mcp.example/mcp'), deps)
    await far('https://mcp.example/token')
    await far('https://login.example/token')
    await expect(far('http://169.254.169.254/latest')).rejects.toThrow('is not asked')
    await expect(far('http://127.0.0.1:8080/')).rejects.toThrow('is not asked')
    await expect(far('https://10.0.0.1/token')).rejects.toThrow('is not on the public internet')
    await expect(far('https://login.inner.example/token')).rejects.toThrow('is not on the public internet')
    const near = boundedFetch(new URL('http://127.0.0.1:4000/mcp'), deps)
    await near('http://localhost:4001/token')
    await expect(near('http://10.0.0.1/')).rejects.toThrow('is not asked')
    const inner = boundedFetch(new URL('https://mcp.inner.example/mcp'), deps)
    await inner('https://login.inner.example/token')
    expect(asked).toHaveLength(4)
  })

  it('[TOOL9] an answer without end is cut', async () => {
    const piece = new Uint8Array(8_388_608)
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(piece) })
    const ask = boundedFetch(new URL('https://mcp.example/'), {
      ask: async () => new Response(endless),
      headers: {},
      isPublicHost: async () => true,
    })
    const answer = await ask('https://mcp.example/')
    await expect(answer.text()).rejects.toThrow('more than 33554432 bytes')
  })

  it('[TOOL9] a list of what is no tool gives reasons and nothing else', () => {
    const offer = readOffer([null, 7, { name: 'a' }, { name: 'b', inputSchema: {} }, { name: 'b', inputSchema: {} }], {
      isAtAddress: false,
    })
    expect(offer.tools.map(({ name }) => name)).toEqual(['b'])
    expect(offer.refused.map(({ reason }) => reason)).toEqual([
      ...Array.from({ length: 3 }, () => 'its definition is not one of the protocol'),
      'another tool of this server has the same name',
    ])
  })

  it.each([
    ['{"properties":{"a":{"type":"string","x-mcp-header":"Region"}}}', null],
    ['{"properties":{"a":{"properties":{"b":{"type":"integer","x-mcp-header":"Depth"}}}}}', null],
    ['{"properties":{"x-mcp-header":{"type":"string"}}}', null],
    ['{"properties":{"a":{"type":"string","x-mcp-header":""}}}', 'that none can have'],
    ['{"properties":{"a":{"type":"string","x-mcp-header":"Two\\r\\nLines"}}}', 'that none can have'],
    ['{"properties":{"a":{"type":"object","x-mcp-header":"A"}}}', 'no text, number or yes and no'],
    ['{"properties":{"a":{"items":{"type":"string","x-mcp-header":"A"}}}}', 'no argument of its own'],
    ['{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}', 'no argument of its own'],
    ['{"x-mcp-header":"A"}', 'no argument of its own'],
    ['{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}', 'twice'],
  ])('[TOOL9] a tool at an address whose schema is %s names headers: %s', (schema, problem) => {
    const listed = [{ name: 'a', inputSchema: JSON.parse(schema) }]
    const { tools, refused } = readOffer(listed, { isAtAddress: true })
    expect(refused.map(({ reason }) => reason)).toEqual(problem === null ? [] : [expect.stringContaining(problem)])
    expect(tools).toHaveLength(problem === null ? 1 : 0)
    expect(readOffer(listed, { isAtAddress: false }).tools).toHaveLength(1)
  })
})
