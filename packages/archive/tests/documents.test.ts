import { activePath, type Entry, entriesOnPath, pathRanges } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'
import { faultsOfLog } from './support/engine-log.ts'
import { importInto, importOne, logOf, openImports, pieces } from './support/import-into.ts'

const wordsOnPath = (log: readonly Entry[]): string[] =>
  entriesOnPath(log, pathRanges(activePath.reduce(activePath.initial, log))).flatMap((entry) => {
    if (entry.type === 'user-message-sent')
      return entry.content.map((part) => (part.type === 'text' ? part.text : part.type))
    if (entry.type !== 'step-finished') return []
    return entry.blocks.map((block) => (block.type === 'tool-call' ? block.name : block.text))
  })

/** A node of a ChatGPT export. */
function node(id: string, parent: string | null, role: string, text: unknown, more: object = {}): [string, object] {
  const content = typeof text === 'string' ? { content_type: 'text', parts: [text] } : text
  const message = { author: { role }, create_time: 1_700_000_000.5, content, recipient: 'all', ...more }
  return [id, { id, parent, children: [], message: role === '' ? null : message }]
}

function chatgpt(id: string, nodes: readonly [string, object][], current: string): object {
  return { title: `Title of ${id}`, conversation_id: id, current_node: current, mapping: Object.fromEntries(nodes) }
}

describe('ChatGPT', () => {
  const TREE = chatgpt(
    'tree',
    [
      node('root', null, '', ''),
      node('sys', 'root', 'system', 'Be nice'),
      node('q1', 'sys', 'user', 'first?'),
      node('a1', 'q1', 'assistant', 'first!', { metadata: { model_slug: 'gpt-4' } }),
      node('q2', 'a1', 'user', 'second?'),
      node('a2', 'q2', 'assistant', 'second!'),
      node('a2b', 'q2', 'assistant', 'second, again!'),
      node('q3', 'a2', 'user', 'third?'),
      node('q1b', 'sys', 'user', 'other first?'),
      node('a1b', 'q1b', 'assistant', 'other first!'),
    ],
    'q3',
  )

  it('[PRJ6] keeps every branch, and shows the one that the source shows', async () => {
    const { log, report } = await importOne(JSON.stringify([TREE]))
    expect(report).toMatchObject({ format: 'chatgpt', conversations: 1, skippedCounts: { instructions: 1 } })
    expect(wordsOnPath(log)).toEqual(['first?', 'first!', 'second?', 'second!', 'third?'])
    const all = JSON.stringify(log)
    for (const words of ['second, again!', 'other first?', 'other first!']) expect(all).toContain(words)
    expect(log.filter(({ type }) => type === 'user-message-sent')).toHaveLength(5)
    expect(faultsOfLog(log)).toEqual([])
    expect(log).toContainEqual(expect.objectContaining({ type: 'title-changed', title: 'Title of tree' }))
    expect(log.find(({ type }) => type === 'user-message-sent')?.at).toBe(1_700_000_000_500)
  })

  it('[PRJ6] says nothing of paths where there is one, and selects a branch again that was set aside', async () => {
    const line = [
      node('q1', null, 'user', 'one?'),
      node('a1', 'q1', 'assistant', 'one!'),
      node('q2', 'a1', 'user', 'two?'),
    ]
    const straight = await importOne(JSON.stringify([chatgpt('line', line, 'q2')]))
    expect(straight.log.filter(({ type }) => type.startsWith('path-'))).toEqual([])
    const branches = [
      ...line,
      node('a2', 'q2', 'assistant', 'two!'),
      node('q3', 'a2', 'user', 'three?'),
      node('q2b', 'a1', 'user', 'other two?'),
      node('q3b', 'a2', 'user', 'other three?'),
    ]
    const { log } = await importOne(JSON.stringify([chatgpt('branches', branches, 'q3b')]))
    expect(log.filter(({ type }) => type.startsWith('path-')).map(({ type }) => type)).toEqual([
      'path-rewound',
      'path-selected',
    ])
    expect(wordsOnPath(log)).toEqual(['one?', 'one!', 'two?', 'two!', 'other three?'])
    expect(faultsOfLog(log)).toEqual([])
  })

  it('[TOOL2] makes calls of what is said to tools, with one result each, and names attachments that are not there', async () => {
    const picture = { content_type: 'multimodal_text', parts: [{ asset_pointer: 'file-service://x' }, 'see?'] }
    const quote = (words: string): object => ({
      content_type: 'tether_quote',
      url: 'http://a',
      title: 'A',
      text: words,
    })
    const { log, report } = await importOne(
      JSON.stringify([
        chatgpt(
          'tools',
          [
            node('q', null, 'user', picture),
            node('c', 'q', 'assistant', { content_type: 'code', text: 'search("x")' }, { recipient: 'browser' }),
            node('r1', 'c', 'tool', quote('one')),
            node('r2', 'r1', 'tool', quote('two')),
            node('a', 'r2', 'assistant', 'Both.'),
          ],
          'a',
        ),
      ]),
    )
    expect(log.filter(({ type }) => type === 'tool-call-settled')).toMatchObject([
      { name: 'browser', content: [{ text: 'A\nhttp://a\none' }, { text: 'A\nhttp://a\ntwo' }] },
    ])
    expect(report.skippedCounts).toEqual({ 'missing-attachment': 1 })
    expect(faultsOfLog(log)).toEqual([])
  })

  it('[SEC5] ends on a tree in a circle, on one of very many branches, and on fields that name a prototype', async () => {
    const many = Array.from({ length: 4_000 }, (_, index) =>
      node(`n${index}`, index < 2_000 ? `n${index - 1}` : 'n1999', 'user', 'x'),
    )
    const circle = chatgpt('circle', [node('a', 'b', 'user', 'x'), node('b', 'a', 'assistant', 'y')], 'b')
    const prototype = JSON.stringify(chatgpt('proto', [node('p', null, 'user', 'hi')], 'p')).replace(
      '"p":{',
      '"__proto__":{"x":1},"p":{',
    )
    const imports = openImports()
    const source = `[${JSON.stringify(circle)},${prototype},${JSON.stringify(chatgpt('many', many, 'n0'))}]`
    const { report } = await importInto(imports, source)
    expect(report.conversations).toBe(3)
    expect(report.skippedCounts['too-long']).toBe(1)
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  it('[LOG7] imports what comes before a damaged place, and names its line', async () => {
    const imports = openImports()
    const text = `[${JSON.stringify(TREE)},\n${JSON.stringify({ ...TREE, conversation_id: 'two' }).slice(0, 300)}`
    const { report, conversationIds } = await importInto(imports, text)
    expect(conversationIds).toHaveLength(1)
    expect(report.skips).toContainEqual(expect.objectContaining({ reason: 'damaged', line: 2 }))
  })

  it('[LOG5] takes a list of any length piece by piece, and tells its progress', async () => {
    const imports = openImports()
    const chunks = pieces(
      (function* () {
        yield '['
        for (let index = 0; index < 300; index++)
          yield `${index === 0 ? '' : ','}${JSON.stringify(chatgpt(`c${index}`, [node('q', null, 'user', 'x'.repeat(10_000))], 'q'))}`
        yield ']'
      })(),
    )
    const { report, events } = await importInto(imports, chunks)
    expect(report.conversations).toBe(300)
    const progress = events.flatMap((event) => (event.type === 'progress' ? [event.conversations] : []))
    expect(progress.length).toBeGreaterThan(100)
    expect(progress).toEqual(progress.toSorted((one, other) => one - other))
  })
})

describe('LibreChat', () => {
  const message = (messageId: string, parentMessageId: string | null, isCreatedByUser: boolean, text: string) => ({
    messageId,
    parentMessageId,
    isCreatedByUser,
    text,
    createdAt: '2024-05-28T18:08:55.014Z',
    model: 'gpt-4o',
    endpoint: 'openAI',
  })
  const EXPORT = {
    conversationId: 'l-1',
    title: 'Stories',
    endpoint: 'openAI',
    branches: true,
    messages: [
      message('q', '00000000-0000-0000-0000-000000000000', true, 'tell'),
      message('a', 'q', false, 'once'),
      message('b', 'q', false, 'twice'),
    ],
  }

  it('[PRJ6] keeps branches, flat and nested, and shows the newest', async () => {
    const [question, ...answers] = EXPORT.messages
    const nested = { ...EXPORT, messages: [{ ...question, children: answers }] }
    for (const source of [JSON.stringify(EXPORT), JSON.stringify(nested, null, 2)]) {
      const { log, report } = await importOne(source)
      expect(report.format).toBe('librechat')
      expect(wordsOnPath(log)).toEqual(['tell', 'twice'])
      expect(JSON.stringify(log)).toContain('once')
      expect(log.find(({ type }) => type === 'path-rewound')).toMatchObject({ toSeq: 0, reason: 'retry' })
      expect(faultsOfLog(log)).toEqual([])
    }
  })

  it('[TOOL2] reads the calls that an answer holds', async () => {
    const tool_call = { id: 'c1', name: 'search', args: '{"q":1}', output: 'found' }
    const answer = {
      ...message('a', 'q', false, ''),
      content: [
        { type: 'tool_call', tool_call },
        { type: 'text', text: 'ok' },
      ],
    }
    const { log } = await importOne(JSON.stringify({ ...EXPORT, messages: [EXPORT.messages[0], answer] }))
    expect(log.find(({ type }) => type === 'tool-call-settled')).toMatchObject({
      callId: 'c1',
      content: [{ text: 'found' }],
    })
    expect(faultsOfLog(log)).toEqual([])
  })

  it('[LOG7] takes what is whole of an export that ends in the middle', async () => {
    const text = JSON.stringify(EXPORT)
    const { log, report } = await importOne(text.slice(0, text.indexOf('"twice"')))
    expect(wordsOnPath(log)).toEqual(['tell', 'once'])
    expect(report.skippedCounts.damaged).toBe(1)
  })
})

describe('other documents', () => {
  it('[TOOL2] are read where they are lists of chat messages', async () => {
    const call = { id: 'c', function: { name: 'book', arguments: '{"to":"SEA"}' } }
    const traj = [
      { role: 'system', content: 'policy' },
      { role: 'user', content: 'book it' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'booked' },
      { role: 'assistant', content: 'Done' },
    ]
    const imports = openImports()
    const list = [0, 1].map((task_id) => ({ task_id, trial: 0, traj }))
    const { report, conversationIds } = await importInto(imports, JSON.stringify(list))
    expect(report).toMatchObject({ format: 'openai-messages', conversations: 2, skippedCounts: { instructions: 2 } })
    for (const id of conversationIds) expect(faultsOfLog(await logOf(imports, id))).toEqual([])
    const bare = await importOne(JSON.stringify(traj))
    expect(bare.report).toMatchObject({ format: 'openai-messages', conversations: 1 })
    expect(bare.log.filter(({ type }) => type === 'user-message-sent')).toHaveLength(1)
    const history = [{ id: 'h', name: 'Hello', messages: traj.slice(1), model: { id: 'gpt-4' } }]
    const { report: other, log } = await importOne(JSON.stringify({ version: 4, history }))
    expect(other.format).toBe('chatbot-ui')
    expect(log).toContainEqual(expect.objectContaining({ type: 'title-changed', title: 'Hello' }))
  })

  it('[COST8] are read where they are sessions of the Gemini CLI', async () => {
    const tokens = { input: 100, output: 10, cached: 30, thoughts: 5 }
    const response = { functionResponse: { response: { output: 'written' } } }
    const toolCalls = [{ id: 't', name: 'write', args: { a: 1 }, result: [response], status: 'success' }]
    const session = {
      sessionId: 'g-1',
      projectHash: 'h',
      messages: [
        { type: 'user', content: 'go', timestamp: '2026-01-15T20:51:48.582Z' },
        {
          type: 'gemini',
          content: 'I write',
          thoughts: [{ subject: 'S', description: 'D' }],
          tokens,
          toolCalls,
          model: 'gemini-2.5',
        },
      ],
    }
    const { log } = await importOne(JSON.stringify(session))
    expect(log.find(({ type }) => type === 'usage-recorded')).toMatchObject({
      inputTokens: 70,
      cacheReadTokens: 30,
      outputTokens: 15,
      thinkingTokens: 5,
    })
    expect(log.find(({ type }) => type === 'tool-call-settled')).toMatchObject({ content: [{ text: 'written' }] })
    expect(faultsOfLog(log)).toEqual([])
  })

  it.each(['', 'words', '{}', '{"a":1}', '[{"a":1}]', '<html>', '{"a":', '\u0000\u0001', '[[[[1]]]]', 'null'])(
    '[SEC5, LOG7] are said to be of no known format, and nothing is made of them: %j',
    async (text) => {
      const { report } = await importOne(text)
      expect(report).toMatchObject({ format: null, conversations: 0, entries: 0 })
      expect(report.skips.length).toBeGreaterThan(0)
    },
  )
})
