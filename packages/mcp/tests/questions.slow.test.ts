import type { Json } from '@holdfast/conversation'
import type { LentAnswer, LoanRequest, ToolAnswer, ToolQuestion } from '@holdfast/tool'
import { describe, expect, it } from 'vitest'
import { hostileReach, openServer, textOf, untilConnected } from './support/open-server.ts'

const red: ToolAnswer = { type: 'accepted', content: { colour: 'red' } }

/** Remembers what is asked, and answers it when the test says so. */
function person() {
  const asked: ToolQuestion[] = []
  const waiting: ((answer: ToolAnswer) => void)[] = []
  return {
    asked,
    answers: (question: ToolQuestion) => {
      asked.push(question)
      return new Promise<ToolAnswer>((resolve) => waiting.push(resolve))
    },
    answer(answer: ToolAnswer) {
      for (const resolve of waiting.splice(0)) resolve(answer)
    },
  }
}

describe('a question of a server', () => {
  it('[TOOL11] goes to whoever made the call, with the name of the server, and its answer back', async () => {
    const open = openServer(hostileReach('asks'))
    await untilConnected(open)
    const { asked, answers, answer } = person()
    const result = open.call('work', {}, { answers })
    await expect.poll(() => asked).toMatchObject([{ source: 'probe', message: 'Which colour?' }])
    answer(red)
    expect(textOf(await result)).toContain('red')
  })

  it.each([
    [{ type: 'declined' } as const, '"decline"'],
    [{ type: 'cancelled', reason: 'closed' } as const, '"cancel"'],
  ])('[TOOL11] its refusal %j is told as such', async (answer, told) => {
    const open = openServer(hostileReach('asks'))
    await untilConnected(open)
    expect(textOf(await open.call('work', {}, { answers: async () => answer }))).toContain(told)
  })

  it('[TOOL11] is not put before the wrong person: with calls of two conversations nobody is asked', async () => {
    const open = openServer(hostileReach('asks'))
    await untilConnected(open)
    const first = person()
    const one = open.call('work', {}, { answers: first.answers })
    await expect.poll(() => first.asked).toHaveLength(1)
    const other = await open.call('work', {}, { answers: async () => red, place: 'conversation_2' })
    expect(textOf(other)).toContain('"cancel"')
    first.answer(red)
    expect(textOf(await one)).toContain('red')
  })

  it('[TOOL11] goes to the one person of several calls of one conversation', async () => {
    const open = openServer(hostileReach('asks'))
    await untilConnected(open)
    const results = await Promise.all([1, 2].map(() => open.call('work', {}, { answers: async () => red })))
    expect(results.map(textOf).join()).toMatch(/red.*red/s)
  })

  it('[TOOL11] is cancelled where nobody is there, and after its call has ended', async () => {
    const nobody = openServer(hostileReach('asks'))
    await untilConnected(nobody)
    expect(textOf(await nobody.call('work', {}))).toContain('"cancel"')
    const late = openServer(hostileReach('asks-late'))
    await untilConnected(late)
    const { asked, answers } = person()
    await late.call('work', {}, { answers })
    await late.server.connection()?.client.ping()
    await expect
      .poll(() => late.server.logs().map(({ text }) => text))
      .toContain('It asked a question, and none of its calls ran')
    expect(asked).toEqual([])
  })

  it('[TOOL11] a thousand at once are each answered, and the server goes on', async () => {
    const open = openServer(hostileReach('asks-many'))
    await untilConnected(open)
    const result = await open.call('work', {}, { answers: async () => ({ type: 'declined' }) })
    expect(
      textOf(result)
        .split(',')
        .filter((action) => action === 'decline'),
    ).toHaveLength(1_000)
    expect(open.server.status().state.type).toBe('connected')
  })

  it('[TOOL11] that cannot be asked is an error for the server and nothing for the person', async () => {
    const open = openServer(hostileReach('asks-wrongly'))
    await untilConnected(open)
    const { asked, answers } = person()
    for (const [name, params] of WRONG) {
      expect(textOf(await open.call('work', params, { answers })), name).toContain('-32602')
    }
    expect(asked).toEqual([])
  })

  it.each([
    ['samples', 'its operator has not allowed sampling'],
    ['wants-roots', 'roots are refused'],
  ])('[TOOL11] a server that %s is told why not', async (fault, words) => {
    const open = openServer(hostileReach(fault))
    await untilConnected(open)
    expect(textOf(await open.call('work', {}))).toContain(words)
    expect(
      open.server
        .logs()
        .map(({ text }) => text)
        .join(),
    ).toContain('which is refused')
  })
})

const asked = { messages: [{ role: 'user', content: { type: 'text', text: 'Which colour?' } }], maxTokens: 50 }

describe('a server that its operator lets ask for the model', () => {
  const allowed = { settings: { sampling: true } } as const

  /** A server, and the wishes that reach whoever lends the model. */
  async function open(answer: LentAnswer) {
    const server = openServer(hostileReach('samples-with'), allowed)
    await untilConnected(server)
    const wishes: LoanRequest[] = []
    const lends = async (wish: LoanRequest): Promise<LentAnswer> => {
      wishes.push(wish)
      return answer
    }
    const answers = async (): Promise<ToolAnswer> => red
    return { server, wishes, ask: async (input: Json) => textOf(await server.call('work', input, { answers, lends })) }
  }

  it('[TOOL13] is told the answer, or why there is none, and its log says so', async () => {
    const blue = await open({ type: 'answered', text: 'Blue', modelId: 'a-model', isCut: true })
    const told = JSON.parse(await blue.ask({ ...asked, systemPrompt: 'Be brief.' }))
    expect(told).toMatchObject({ role: 'assistant', content: { type: 'text', text: 'Blue' }, model: 'a-model' })
    expect(told).toMatchObject({ stopReason: 'maxTokens' })
    expect(blue.wishes).toEqual([
      {
        source: 'probe',
        system: 'Be brief.',
        maxOutputTokens: 50,
        messages: [{ role: 'user', text: 'Which colour?' }],
      },
    ])
    expect(blue.server.server.logs().map(({ text }) => text)).toContain('It was lent the model once')
    const none = await open({ type: 'refused', reason: 'The person declined' })
    expect(await none.ask(asked)).toMatch(/-1\b.*The person declined/)
  })

  it('[TOOL13] is refused what is no plain text that a person can see', async () => {
    const { ask, wishes } = await open({ type: 'refused', reason: 'never asked' })
    const said = (content: Json) => ({ ...asked, messages: [{ role: 'user', content }] })
    const wrong: readonly Json[] = [
      said({ type: 'image', data: 'AAAA', mimeType: 'image/png' }),
      said([
        { type: 'text', text: 'Which?' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      ]),
      said({ type: 'text', text: 'Which\u{e0041} colour?' }),
      { ...asked, tools: [{ name: 'shell', inputSchema: { type: 'object' } }] },
      { ...asked, messages: [] },
      { ...asked, maxTokens: 'many' },
    ]
    for (const one of wrong) expect(await ask(one)).toContain('-32602')
    expect(wishes).toEqual([])
  })

  it('[TOOL13] is refused where nobody is there who could lend it', async () => {
    const { server } = await open({ type: 'refused', reason: 'never asked' })
    expect(textOf(await server.call('work', asked))).toContain('nobody is there to be asked')
  })
})

function form(properties: Readonly<Record<string, Json>>) {
  return { message: 'Which?', requestedSchema: { type: 'object', properties } }
}

const WRONG: readonly (readonly [string, Json])[] = [
  ['no message', { requestedSchema: { type: 'object', properties: {} } }],
  ['no schema', { message: 'Which?' }],
  ['a schema of lists in lists', form({ a: { type: 'array', items: { type: 'array' } } })],
  ['an object in the form', form({ a: { type: 'object', properties: {} } })],
  ['a choice without options', form({ a: { type: 'string', enum: [] } })],
  ['hidden text', { ...form({}), message: 'Which\u{e0041} colour?' }],
  ['hidden text in an option', form({ a: { type: 'string', enum: ['r\u200bed'] } })],
  [
    'a form without end',
    form(Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`f${i}`, { type: 'boolean' }]))),
  ],
  ['a message without end', { ...form({}), message: 'x'.repeat(5_000) }],
  ['a page that is no https', { mode: 'url', elicitationId: 'e', url: 'http://evil.example', message: 'Sign in' }],
  ['a page of a script', { mode: 'url', elicitationId: 'e', url: 'javascript:alert(1)', message: 'Sign in' }],
  ['a page with a user', { mode: 'url', elicitationId: 'e', url: 'https://bank.example@evil.example', message: 'a' }],
  ['a mode that there is not', { mode: 'voice', message: 'Say it', requestedSchema: {} }],
]
