import { describe, expect, it } from 'vitest'
import { faultsOfLog } from './support/engine-log.ts'
import { importInto, importOne, logOf, openImports } from './support/import-into.ts'

const AT = 1_795_855_128_653
const MODEL = { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' }
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let made = 0

/** A part as opencode 1.18 writes it. */
function part(type: string, more: object): object {
  return { type, ...more, id: `prt_${++made}`, sessionID: 'ses_1', messageID: 'msg_1' }
}

function user(id: string, ...parts: readonly object[]): object {
  const info = { role: 'user', time: { created: AT + 1_000 }, agent: 'build', model: MODEL, id, sessionID: 'ses_1' }
  return { info: { ...info, summary: { diffs: [] } }, parts }
}

function assistant(id: string, more: object, ...parts: readonly object[]): object {
  const time = { created: AT + 2_000, completed: AT + 3_000 }
  const info = {
    role: 'assistant',
    mode: 'build',
    path: { cwd: '/p', root: '/p' },
    ...MODEL,
    time,
    id,
    sessionID: 'ses_1',
  }
  return { info: { ...info, ...more }, parts: [part('step-start', { snapshot: 'a1' }), ...parts] }
}

function finished(reason: string, tokens: object, cost: number): object {
  return part('step-finish', { reason, snapshot: 'a1', tokens, cost })
}

const SMALL = { total: 30, input: 10, output: 5, reasoning: 0, cache: { write: 8, read: 7 } }

function text(words: string, more: object = {}): object {
  return part('text', { text: words, ...more })
}

function session(messages: readonly object[], more: object = {}): object {
  const head = {
    id: 'ses_1',
    slug: 'silent-garden',
    projectID: 'global',
    directory: '/p',
    title: 'Kelp',
    version: '1.18.33',
  }
  return { info: { ...head, time: { created: AT, updated: AT + 9_000 }, ...more }, messages }
}

const READ = part('tool', {
  tool: 'read',
  callID: 'toolu_1',
  state: {
    status: 'completed',
    input: { filePath: '/p/notes.txt' },
    output: '1: The kelp grows.',
    title: 'notes.txt',
    metadata: { truncated: false },
    time: { start: AT + 2_100, end: AT + 2_150 },
  },
})

const TALK = [
  user(
    'msg_1',
    text('Called the Read tool', { synthetic: true }),
    part('file', { mime: 'image/png', url: `data:image/png;base64,${DOT}`, filename: 'dot.png' }),
    text('What is in notes.txt?'),
  ),
  assistant(
    'msg_2',
    { finish: 'tool-calls' },
    part('reasoning', { text: 'I should look.', metadata: { anthropic: { signature: 'secret' } } }),
    text('I look.'),
    READ,
    finished('tool-calls', SMALL, 0.0342),
  ),
  assistant('msg_3', { finish: 'stop' }, text('It says that the kelp grows.'), finished('stop', SMALL, 0)),
]

describe('opencode', () => {
  it('[CLI50] brings words, thinking, calls with their results, pictures, times and what it cost', async () => {
    const { log, report } = await importOne(JSON.stringify(session(TALK)))
    expect(report).toMatchObject({ format: 'opencode', conversations: 1, skippedCounts: {} })
    expect(faultsOfLog(log)).toEqual([])
    const [said] = log.filter((entry) => entry.type === 'user-message-sent')
    expect(said?.content.map((one) => (one.type === 'text' ? one.text : one.type))).toEqual([
      'image',
      'What is in notes.txt?',
      'Called the Read tool',
    ])
    expect(said?.at).toBe(AT + 1_000)
    const answers = log.filter((entry) => entry.type === 'step-finished')
    expect(answers.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([
      ['thinking', 'text', 'tool-call'],
      ['text'],
    ])
    expect(log.find((entry) => entry.type === 'tool-call-settled')).toMatchObject({ outcome: 'ok', durationMs: 50 })
    expect(log.filter((entry) => entry.type === 'usage-recorded')).toMatchObject([
      { inputTokens: 10, cacheReadTokens: 7, cacheCreation5mTokens: 8, outputTokens: 5, costUsd: 0.0342 },
      { costUsd: null },
    ])
    expect(log).toContainEqual(expect.objectContaining({ type: 'title-changed', title: 'Kelp' }))
    expect(JSON.stringify(log)).not.toContain('secret')
  })

  it('[CLI50] tells failed calls, a stop, and a refusal of the provider with its status', async () => {
    const failing = part('tool', {
      tool: 'read',
      callID: 'toolu_2',
      state: { status: 'error', input: {}, error: 'File not found', time: { start: AT, end: AT } },
    })
    const running = part('tool', { tool: 'bash', callID: 'toolu_3', state: { status: 'running', input: {} } })
    const refused = { name: 'APIError', data: { message: 'Not Found', statusCode: 404, isRetryable: false } }
    const aborted = { name: 'MessageAbortedError', data: { message: 'Aborted' } }
    const { log, report } = await importOne(
      JSON.stringify(
        session([
          user('msg_1', text('Go')),
          assistant('msg_2', {}, failing, finished('tool-calls', SMALL, 0)),
          assistant('msg_3', { error: refused }),
          user('msg_4', text('Again')),
          assistant('msg_5', { error: aborted }, text('Half of'), running),
        ]),
      ),
    )
    expect(report.skippedCounts).toEqual({})
    expect(faultsOfLog(log)).toEqual([])
    expect(log.filter((entry) => entry.type === 'tool-call-settled')).toMatchObject([{ outcome: 'error' }, {}])
    expect(log.find((entry) => entry.type === 'step-failed')).toMatchObject({ error: { status: 404 } })
    expect(JSON.stringify(log)).toContain('Half of')
    expect(log.findLast((entry) => entry.type === 'run-finished')).toMatchObject({ outcome: 'stopped' })
  })

  it('[CLI50] keeps a summary as one, and what was taken back as set aside', async () => {
    const messages = [
      ...TALK,
      user('msg_4', part('compaction', { auto: false })),
      assistant('msg_5', { mode: 'compaction', summary: true, finish: 'stop' }, text('All about kelp.')),
      user('msg_6', text('A mistake')),
      assistant('msg_7', { finish: 'stop' }, text('A wrong answer'), finished('stop', SMALL, 0)),
    ]
    const { log } = await importOne(
      JSON.stringify(session(messages, { revert: { messageID: 'msg_6', snapshot: 'a1' } })),
    )
    expect(faultsOfLog(log)).toEqual([])
    expect(log.find((entry) => entry.type === 'checkpoint-made')).toMatchObject({ summary: 'All about kelp.' })
    expect(log.find((entry) => entry.type === 'path-rewound')).toMatchObject({ reason: 'rewind', setAsideCount: 2 })
    expect(JSON.stringify(log)).toContain('A wrong answer')
  })

  it('[CLI50] takes the words of a file that was named, which stand beside it', async () => {
    const file = part('file', { mime: 'text/plain', url: 'file:///p/notes.txt', filename: 'notes.txt' })
    const words = text('1: The kelp grows.', { synthetic: true })
    const { log, report } = await importOne(JSON.stringify(session([user('msg_1', words, file, text('Read it'))])))
    expect(report.skippedCounts).toEqual({})
    expect(JSON.stringify(log)).toContain('1: The kelp grows.')
  })

  it('[CLI50] names what it cannot read, and takes the rest; sessions of sub-agents are left out by name', async () => {
    const imports = openImports()
    const bad = session([
      user('msg_1', text('Go'), part('file', { mime: 'text/plain', url: 'file:///p/a.txt', filename: 'a.txt' })),
      { info: { role: 'robot' }, parts: [] },
      assistant('msg_2', {}, part('hologram', {}), text('Gone.'), finished('stop', SMALL, 0)),
    ])
    const child = session([user('msg_1', text('Look'))], { id: 'ses_2', parentID: 'ses_1' })
    const { report, conversationIds } = await importInto(imports, JSON.stringify([bad, child, { info: { id: 'x' } }]))
    expect(report).toMatchObject({
      format: 'opencode',
      conversations: 1,
      skippedCounts: {
        'missing-attachment': 1,
        malformed: 1,
        'unknown-kind': 1,
        'sub-agent': 1,
        'unknown-format': 1,
      },
    })
    expect(JSON.stringify(await logOf(imports, conversationIds[0]))).toContain('Gone.')
  })

  it('[CLI50] adds nothing the second time, and only what is new to a session that went on', async () => {
    const imports = openImports()
    const whole = JSON.stringify(session(TALK))
    await importInto(imports, whole)
    expect((await importInto(imports, whole)).report).toMatchObject({ conversations: 0, alreadyThere: 1 })
    const more = [user('msg_4', text('And now?')), assistant('msg_5', {}, text('More.'), finished('stop', SMALL, 0))]
    const grown = await importInto(imports, JSON.stringify([session([...TALK, ...more])]))
    expect(grown.report).toMatchObject({ conversations: 0, updated: 1 })
    const log = await logOf(imports, grown.conversationIds[0])
    expect(log.filter(({ type }) => type === 'user-message-sent')).toHaveLength(2)
  })

  it('[CLI50] reads every step of one message, as older versions wrote a turn, and a session nobody has named', async () => {
    const messages = [
      user('msg_1', text('Go')),
      assistant(
        'msg_2',
        {},
        READ,
        finished('tool-calls', SMALL, 0),
        part('step-start', {}),
        text('Done.'),
        finished('stop', SMALL, 0),
      ),
    ]
    const { log } = await importOne(
      JSON.stringify(session(messages, { title: 'New session - 2026-11-28T08:37:37.071Z' })),
    )
    expect(log.filter((entry) => entry.type === 'step-finished')).toHaveLength(2)
    expect(log.some((entry) => entry.type === 'title-changed')).toBe(false)
    expect(faultsOfLog(log)).toEqual([])
  })
})
