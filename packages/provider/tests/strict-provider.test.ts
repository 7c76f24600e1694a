import { createStrictProvider, type Reply, type StrictProvider } from '@holdfast/conformance'
import type { ModelRequest } from '@holdfast/provider'
import type { CollectedAnswer } from '@holdfast/provider/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ask,
  callsOf,
  nextStep,
  PICTURE_HASH,
  PICTURES,
  requestOf,
  STRICT_PORTS,
  type StrictPort,
  says,
} from './support/strict-ports.ts'

const TWO_CALLS: Reply = {
  parts: [
    { type: 'thinking', text: 'Two files could hold it; both are worth a look.' },
    { type: 'text', text: 'I read both files — beide 📄.' },
    { type: 'tool-call', name: 'read', input: {}, raw: '{"path": "a.txt", "n": 1.0}' },
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

/** The formats that have a form for thinking without words. */
const HIDES_THINKING: ReadonlySet<string> = new Set([
  'anthropic',
  'bedrock-claude',
  'bedrock-converse',
  'openai-responses',
])

let provider: StrictProvider

beforeAll(async () => {
  provider = await createStrictProvider({})
})

afterAll(() => provider.close())

/** The last requests, by what the provider says of them. */
function refusalsOf(count: number): unknown {
  return provider.requests.slice(-count).map(({ status, violations }) => ({ status, violations }))
}

function bodyText(index: number): string {
  return Buffer.from(provider.requests.at(index)?.rawBody ?? []).toString()
}

const ACCEPTED = { status: 200, violations: [] }
const picture = {
  type: 'image',
  attachmentId: 'i',
  blob: { hash: PICTURE_HASH, sizeBytes: 70, mediaType: 'image/png' },
} as const

describe.each(STRICT_PORTS)('$name with the strict provider', (port: StrictPort) => {
  it('[RUN5] brings a text as it was written', async () => {
    provider.script({ parts: [{ type: 'text', text: 'Grüße, 世界 👩‍🚀!', chunks: ['Grü', 'ße, 世', '界 👩‍🚀!'] }] })
    const { blocks, finish } = await ask(port.open(provider.urls), requestOf(port, [says('Hello')]))
    expect(blocks).toMatchObject([{ type: 'text', text: 'Grüße, 世界 👩‍🚀!' }])
    expect([finish, refusalsOf(1)]).toEqual(['end', [ACCEPTED]])
  })

  it('[UI24] tells the body of a request byte by byte, and sends nothing for it', async () => {
    provider.script(DONE)
    const before = provider.requests.length
    const request = requestOf(port, [
      { role: 'user', parts: [{ type: 'text', text: 'What is this? Grüße, 世界.' }, picture] },
    ])
    const model = port.open(provider.urls)
    const told = await model.wireBody?.(request, PICTURES)
    expect(provider.requests).toHaveLength(before)
    await ask(model, request)
    expect(told).toBe(bodyText(-1))
  })

  it('[TOOL10, REQ2] sends calls of before and what they gave while nothing can be called', async () => {
    provider.script(TWO_CALLS)
    const model = port.open(provider.urls)
    const request = requestOf(port, [says('Look.')])
    const answer = await ask(model, request)
    const isBound = model.bindsThinking?.(port.modelId) ?? true
    // Thinking that is bound to the definitions goes with them.
    const blocks = isBound ? answer.blocks.filter(({ type }) => type !== 'thinking') : answer.blocks
    for (const without of [{ toolChoice: 'none' as const }, { tools: [] }]) {
      provider.script(DONE)
      const done = await ask(model, { ...nextStep(request, { ...answer, blocks }), ...without })
      expect([done.blocks, refusalsOf(1)]).toMatchObject([[{ type: 'text', text: 'All read.' }], [ACCEPTED]])
      for (const told of ['a.txt', 'b.txt', 'one line', 'There is no such file.']) expect(bodyText(-1)).toContain(told)
    }
  })

  it('[RUN10, RUN11] brings thinking, text and parallel calls, each whole', async () => {
    provider.script(TWO_CALLS)
    const { blocks, finish } = await ask(port.open(provider.urls), requestOf(port, [says('Look.')]))
    expect([finish, refusalsOf(1)]).toEqual(['tool-calls', [ACCEPTED]])
    expect(blocks.map(({ type }) => type)).toEqual([
      ...(port.thinks ? ['thinking'] : []),
      'text',
      'tool-call',
      'tool-call',
    ])
    const calls = callsOf(blocks)
    // Gemini sends the input as an object: its bytes are not there to keep.
    const first = port.format === 'gemini' ? '{"path":"a.txt","n":1}' : '{"path": "a.txt", "n": 1.0}'
    expect(calls.map(({ inputText }) => inputText)).toEqual([first, '{"path":"b.txt"}'])
    expect(calls.every(({ complete, name }) => complete && name === 'read')).toBe(true)
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(2)
  })

  it.each([null, 2_000])(
    '[REQ2, REQ4] goes through three steps with an error among the results and a budget of %s, and is accepted each time',
    async (thinkingBudgetTokens) => {
      provider.script(TWO_CALLS, SECOND_STEP, DONE)
      const model = port.open(provider.urls)
      let request: ModelRequest = { ...requestOf(port, [says('Look.')]), thinkingBudgetTokens }
      for (let step = 0; step < 2; step += 1) request = nextStep(request, await ask(model, request))
      const { finish } = await ask(model, request)
      expect([finish, refusalsOf(3)]).toEqual(['end', [ACCEPTED, ACCEPTED, ACCEPTED]])
      const signatures = bodyText(-1).split(SEAL_START).length - 1
      // Chat Completions has no signatures; its thinking goes back in words.
      if (port.format === 'openai-chat') expect(bodyText(-1).includes('worth a look')).toBe(port.thinks)
      else expect(signatures).toBe(2)
      expect(bodyText(-1)).toContain('There is no such file.')
    },
  )

  if (HIDES_THINKING.has(port.format))
    it('[REQ4] sends back thinking that only the provider can read', async () => {
      provider.script({ parts: [{ type: 'redacted-thinking' }, ...SECOND_STEP.parts] }, DONE)
      const model = port.open(provider.urls)
      const first = requestOf(port, [says('Look.')])
      const answer = await ask(model, first)
      expect(answer.blocks.map(({ type }) => type)).toEqual(['thinking', 'thinking', 'tool-call'])
      await ask(model, nextStep(first, answer))
      expect(refusalsOf(2)).toEqual([ACCEPTED, ACCEPTED])
      expect(bodyText(-1).split(SEAL_START).length - 1).toBe(2)
    })

  it('[REQ2] shows pictures, those of a person and those of a tool', async () => {
    provider.script(SECOND_STEP, DONE)
    const model = port.open(provider.urls)
    const first = requestOf(port, [{ role: 'user', parts: [{ type: 'text', text: 'What is this?' }, picture] }])
    const step = nextStep(first, await ask(model, first))
    const messages = step.messages.map((message) =>
      message.role === 'tool' ? { ...message, content: [...message.content, picture] } : message,
    )
    await ask(model, { ...step, messages })
    expect(refusalsOf(2)).toEqual([ACCEPTED, ACCEPTED])
    const bytes = bodyText(-1).split('iVBORw0KGgo').length - 1
    expect(bytes).toBe(2)
  })

  it.each(['5m', '1h'] as const)(
    '[CACHE1, COST1] says what was written to the cache for %s, and what was read',
    async (ttl) => {
      provider.script(DONE, DONE)
      const model = port.open(provider.urls)
      const first = requestOf(port, [says(`${LONG_TEXT} ${port.name} ${ttl}`)])
      const one = await ask(model, { ...first, cacheMarks: { ttl, system: true, messages: [0] } })
      const second = { ...nextStep(first, one), cacheMarks: { ttl, system: true, messages: [0, 2] } }
      const two = await ask(model, { ...second, messages: [...second.messages, says('And now?')] })
      expect(refusalsOf(2)).toEqual([ACCEPTED, ACCEPTED])
      for (const [answer, record] of [
        [one, provider.requests.at(-2)],
        [two, provider.requests.at(-1)],
      ] as const) {
        const told = record?.usage
        expect(answer.usage).toMatchObject({
          inputTokens: told?.inputTokens,
          cacheReadTokens: told?.cacheReadTokens,
          cacheCreation5mTokens: told?.cacheWrite5mTokens,
          cacheCreation1hTokens: told?.cacheWrite1hTokens,
          outputTokens: told?.outputTokens,
        })
      }
      expect(two.usage?.cacheReadTokens).toBeGreaterThan(2_000)
      const wrote = provider.requests.at(-2)?.usage
      if (port.cache !== 'automatic')
        expect(ttl === '5m' ? wrote?.cacheWrite5mTokens : wrote?.cacheWrite1hTokens).toBeGreaterThan(2_000)
    },
  )
})

const MODEL = { anthropic: 'claude-opus-5-5', 'openai-chat': 'gpt-5.2' } as const

const ANSWERS: readonly (readonly [string, Reply])[] = [
  ['parallel calls', TWO_CALLS],
  ['nothing', { parts: [] }],
  ['a refusal', { parts: [{ type: 'text', text: 'I will not.' }], finish: 'refusal' }],
  ['an end by length', { parts: [{ type: 'text', text: 'And so' }], finish: 'max-tokens' }],
  ['an end of a new kind', { parts: [{ type: 'text', text: 'Well.' }], finish: 'unknown' }],
  [
    'a call that length cut',
    { parts: [{ type: 'tool-call', name: 'read', input: {}, raw: '{"pa' }], finish: 'max-tokens' },
  ],
  ['a call without input', { parts: [{ type: 'tool-call', name: 'read', input: {} }] }],
  ['blocks from the last to the first', { ...TWO_CALLS, reversedIndexes: true }],
]

/**
 * The answer without what only its own adapter reads. The package's request is a little longer: what is compared of the
 * input is how far it is from what the provider counted.
 */
function plain({ blocks, finish, usage }: CollectedAnswer, countedInputTokens: number): unknown {
  return {
    blocks: blocks.map(({ providerState: _state, ...block }) => block),
    finish,
    usage: { ...usage, inputTokens: (usage?.inputTokens ?? 0) - countedInputTokens },
  }
}

describe.each(['anthropic', 'openai-chat'] as const)('our %s adapter and the package of the AI SDK', (format) => {
  const ports = STRICT_PORTS.filter((port) => port.format === format)
  it.each(ANSWERS)('[RUN5, COST1] make the same of %s', async (_name, reply) => {
    // The package passes over thinking in Chat Completions.
    const parts = format === 'openai-chat' ? reply.parts.filter(({ type }) => type !== 'thinking') : reply.parts
    const answers: unknown[] = []
    for (const port of ports) {
      const own = await createStrictProvider({})
      try {
        own.script({ ...reply, parts })
        const answer = await ask(port.open(own.urls), { ...requestOf(port, [says('Look.')]), modelId: MODEL[format] })
        answers.push(plain(answer, own.requests[0]?.usage?.inputTokens ?? -1))
      } finally {
        await own.close()
      }
    }
    expect(answers).toHaveLength(2)
    expect(answers[0]).toEqual(answers[1])
  })
})
