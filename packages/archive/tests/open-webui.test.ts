import { activePath, type Entry, entriesOnPath, pathRanges } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'
import { faultsOfLog } from './support/engine-log.ts'
import { importInto, importOne, logOf, openImports } from './support/import-into.ts'

type Message = Readonly<Record<string, unknown>>

const PNG = 'data:image/png;base64,iVBORw0KGgo='
const message = (id: string, parentId: string | null, role: string, content: string, more: Message = {}): Message => ({
  id,
  parentId,
  childrenIds: [],
  role,
  content,
  timestamp: 1_700_000_000,
  done: true,
  ...more,
})

function chat(messages: readonly Message[], currentId: string): object {
  const history = { messages: Object.fromEntries(messages.map((one) => [one['id'], one])), currentId }
  return { id: 'chat_1', title: 'About walnuts', chat: { models: ['llama3'], history, messages: [] }, archived: false }
}

const MESSAGES = [
  message('q1', null, 'user', 'look', {
    files: [
      { type: 'image', url: PNG },
      { type: 'file', name: 'a.pdf' },
    ],
  }),
  message('a1', 'q1', 'assistant', 'A walnut.', { model: 'llava', usage: { prompt_tokens: 7, completion_tokens: 3 } }),
  message('a1b', 'q1', 'assistant', 'A nut.'),
  message('q2', 'a1', 'user', 'why?'),
  message(
    'a2',
    'q2',
    'assistant',
    '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n&gt; Its shell.\n&gt; Its size.\n</details>\nBy its shell.',
  ),
]

const answers = (log: readonly Entry[]): unknown[] =>
  entriesOnPath(log, pathRanges(activePath.reduce(activePath.initial, log))).flatMap((entry) =>
    entry.type === 'step-finished' ? [entry.blocks] : [],
  )

describe('Open WebUI', () => {
  it('[PRJ6, LOG11] keeps branches, pictures, models, thinking and usage, and names what is not in the export', async () => {
    const { log, report } = await importOne(JSON.stringify([chat(MESSAGES, 'a2')]))
    expect(report).toMatchObject({ format: 'open-webui', conversations: 1, skippedCounts: { 'missing-attachment': 1 } })
    expect(answers(log)).toEqual([
      [{ type: 'text', text: 'A walnut.' }],
      [
        { type: 'thinking', text: 'Its shell.\nIts size.' },
        { type: 'text', text: 'By its shell.' },
      ],
    ])
    expect(JSON.stringify(log)).toContain('A nut.')
    expect(log.find(({ type }) => type === 'user-message-sent')).toMatchObject({
      at: 1_700_000_000_000,
      content: [
        { text: 'look' },
        { type: 'image', blob: { mediaType: 'image/png' } },
        { text: '[a.pdf: not in the export]' },
      ],
    })
    const used = log.filter(({ type }) => type === 'usage-recorded')
    expect(used).toMatchObject([{ modelId: 'llava', inputTokens: 7, outputTokens: 3, carried: true }])
    expect(log).toContainEqual(expect.objectContaining({ type: 'title-changed', title: 'About walnuts' }))
    expect(faultsOfLog(log)).toEqual([])
  })

  it('[RUN1] keeps what was said of an answer that failed or never ended', async () => {
    const failed = message('a1', 'q1', 'assistant', 'Half', { error: { content: 'No memory left' } })
    const open = message('a2', 'q2', 'assistant', 'Begun', { done: false })
    const { log } = await importOne(
      JSON.stringify(chat([message('q1', null, 'user', 'a'), failed, message('q2', 'a1', 'user', 'b'), open], 'a2')),
    )
    expect(log.find(({ type }) => type === 'step-failed')).toMatchObject({ error: { message: 'No memory left' } })
    expect(log.filter(({ type }) => type === 'run-finished')).toMatchObject([
      { outcome: 'failed' },
      { outcome: 'stopped' },
    ])
    expect(JSON.stringify(answers(log))).toMatch(/Half.*Begun/)
    expect(faultsOfLog(log)).toEqual([])
  })

  it('[LOG1] brings what an export of the same chat has since', async () => {
    const imports = openImports()
    const line = MESSAGES.filter(({ id }) => id !== 'a1b')
    const { conversationIds } = await importInto(imports, JSON.stringify([chat(line.slice(0, 2), 'a1')]))
    const before = await logOf(imports, conversationIds[0])
    const { report } = await importInto(imports, JSON.stringify([chat(line, 'a2')]))
    expect(report).toMatchObject({ updated: 1, unchanged: 0 })
    const after = await logOf(imports, conversationIds[0])
    expect(after.slice(0, before.length)).toEqual(before)
    expect(JSON.stringify(after)).toContain('By its shell.')
  })
})
