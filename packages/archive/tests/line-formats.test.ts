import type { Entry } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'
import { faultsOfLog } from './support/engine-log.ts'
import { hashOf, importInto, importOne, lines, openImports } from './support/import-into.ts'

const ids = { sessionId: 'session-1', isSidechain: false }
let clock = Date.UTC(2026, 1, 2)
const time = (): string => {
  clock += 1_000
  return new Date(clock).toISOString()
}

/** A record of Claude Code that a person's side wrote. */
function user(uuid: string, parentUuid: string | null, content: unknown, more: object = {}): object {
  return { ...ids, type: 'user', uuid, parentUuid, timestamp: time(), message: { role: 'user', content }, ...more }
}

/** A record of Claude Code with one block of an answer. */
function assistant(uuid: string, parentUuid: string, messageId: string, block: object, more: object = {}): object {
  const usage = { input_tokens: 3, cache_creation_input_tokens: 10, cache_read_input_tokens: 20, output_tokens: 1 }
  const message = { id: messageId, role: 'assistant', model: 'claude-opus-4-6', content: [block], usage, ...more }
  return { ...ids, type: 'assistant', uuid, parentUuid, timestamp: time(), message }
}

const text = (words: string): object => ({ type: 'text', text: words })
const toolUse = (id: string): object => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } })
const toolResult = (id: string, content: unknown, more: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
})
const ofType = <Type extends Entry['type']>(log: readonly Entry[], type: Type): Extract<Entry, { type: Type }>[] =>
  log.filter((entry): entry is Extract<Entry, { type: Type }> => entry.type === type)
const saidIn = (log: readonly Entry[]): string[] =>
  ofType(log, 'user-message-sent').flatMap(({ content }) =>
    content.map((part) => (part.type === 'text' ? part.text : part.type)),
  )

describe('Claude Code', () => {
  const SESSION = [
    { ...ids, type: 'queue-operation', operation: 'enqueue' },
    user('u1', null, 'look'),
    assistant('a1', 'u1', 'm1', { type: 'thinking', thinking: 'hm', signature: 'sealed' }),
    assistant('a2', 'a1', 'm1', toolUse('t1')),
    user('r1', 'a2', [toolResult('t1', 'a.ts')]),
    assistant('a3', 'r1', 'm2', text('One file.'), { stop_reason: 'end_turn' }),
  ]

  it('[COST8] counts the usage of an answer once, whatever number of records it has, and leaves signatures behind', async () => {
    const { log, report } = await importOne(lines(...SESSION))
    expect(report.format).toBe('claude-code')
    expect(ofType(log, 'usage-recorded')).toMatchObject([
      { inputTokens: 3, cacheReadTokens: 20, cacheCreation5mTokens: 10, measured: false, carried: true },
      { outputTokens: 1, measured: true },
    ])
    expect(JSON.stringify(log)).not.toContain('sealed')
    expect(ofType(log, 'step-finished')[0]?.blocks.map(({ type }) => type)).toEqual(['thinking', 'tool-call'])
    expect(faultsOfLog(log)).toEqual([])
    expect(ofType(log, 'user-message-sent')[0]?.at).toBeGreaterThan(Date.UTC(2026, 1, 2))
  })

  it('[COST8] counts an answer that comes back later only once', async () => {
    const again = assistant('a9', 'a3', 'm1', text('The same message, written again.'))
    const { log } = await importOne(lines(...SESSION, user('u9', 'a3', 'more'), again))
    expect(ofType(log, 'step-finished')).toHaveLength(3)
    expect(ofType(log, 'usage-recorded')).toHaveLength(2)
  })

  it('[PRJ6] makes a path that was set aside of what a person rewound', async () => {
    const { log } = await importOne(
      lines(...SESSION, user('u2', 'a3', 'wrong'), assistant('a4', 'u2', 'm3', text('Hm.')), user('u3', 'a3', 'right')),
    )
    expect(ofType(log, 'path-rewound')).toMatchObject([
      { toSeq: ofType(log, 'run-finished')[0]?.seq, setAsideCount: 2 },
    ])
    expect(faultsOfLog(log)).toEqual([])
  })

  it('[LOG7] names damaged and malformed lines by their number, reads records that ran together, and goes on', async () => {
    const [first, ...rest] = SESSION.map((record) => JSON.stringify(record))
    const source = lines(`${first}`, `${rest[0]}${rest[1]}`, '{"type":"assist', '42', rest[2], '', ...rest.slice(3))
    const { log, report } = await importOne(source)
    expect(report.skips.filter(({ reason }) => reason !== 'not-conversation')).toMatchObject([
      { line: 2, reason: 'damaged', what: '2 records run together; all were read' },
      { line: 3, reason: 'damaged' },
      { line: 4, reason: 'malformed' },
    ])
    expect(ofType(log, 'step-finished')).toHaveLength(2)
    expect(ofType(log, 'imported')).toMatchObject([
      { skippedCount: 3, source: { format: 'claude-code', id: 'session-1' } },
    ])
  })

  it('[TOOL2] keeps one result a call when a compaction came between, and names results without a call', async () => {
    const { log, report } = await importOne(
      lines(
        ...SESSION.slice(0, 4),
        { ...ids, type: 'system', subtype: 'compact_boundary', uuid: 's1', parentUuid: null },
        user('c1', 's1', 'The story so far.', { isCompactSummary: true }),
        assistant('a9', 'c1', 'm9', text('I go on.')),
        user('r9', 'a9', [toolResult('nobody', 'lost')]),
      ),
    )
    expect(ofType(log, 'tool-call-settled')).toMatchObject([{ callId: 't1', outcome: 'unknown' }])
    const [checkpoint] = ofType(log, 'checkpoint-made')
    expect(checkpoint).toMatchObject({ summary: 'The story so far.', coversFromSeq: 1, keptFromSeq: checkpoint?.seq })
    expect(report.skippedCounts['result-without-call']).toBe(1)
    expect(faultsOfLog(log)).toEqual([])
  })

  it('[STOP1, RUN9] reads interruptions as stops and errors of the provider as failures', async () => {
    const failure = { ...assistant('e1', 'u1', 'm7', text('API Error: 529 overloaded')), isApiErrorMessage: true }
    const { log } = await importOne(
      lines(
        ...SESSION.slice(0, 2),
        failure,
        user('u2', 'e1', 'again'),
        assistant('a5', 'u2', 'm8', text('Half')),
        user('i1', 'a5', [text('[Request interrupted by user]')]),
      ),
    )
    expect(ofType(log, 'step-failed')).toMatchObject([{ error: { status: 529 } }])
    expect(ofType(log, 'run-finished').map(({ outcome }) => outcome)).toEqual(['failed', 'stopped'])
  })

  it('[LOG11] puts pictures into blobs, and says where one cannot be read', async () => {
    const source = (data: string): object => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data },
    })
    const bytes = Buffer.from('not really a picture')
    const { log, report } = await importOne(
      lines(user('u1', null, [text('see'), source(bytes.toString('base64')), source('%%%')])),
    )
    const [sent] = ofType(log, 'user-message-sent')
    expect(sent?.content).toMatchObject([
      { type: 'text' },
      { type: 'image', blob: { hash: hashOf(bytes) } },
      { type: 'text' },
    ])
    expect(report.skippedCounts['damaged-attachment']).toBe(1)
  })

  it('[SEC3] takes only its own titles, as one line of words', async () => {
    const titled = (summary: string, leafUuid: string): object => ({ type: 'summary', summary, leafUuid })
    const { log } = await importOne(
      lines(titled('Of another session', 'x'), ...SESSION, titled('<img src=x\nonerror=alert(1)>', 'a3')),
    )
    const own = ['look', '<img src=x onerror=alert(1)>']
    expect(ofType(log, 'title-changed').map(({ title }) => title)).toEqual(own)
  })

  it('[CLI44] takes the title that stands before the session it is of, and counts those of others', async () => {
    const titled = (summary: string, leafUuid: string): object => ({ type: 'summary', summary, leafUuid })
    const { log, report } = await importOne(lines(titled('Of another', 'x'), titled('Kelp and rock', 'a3'), ...SESSION))
    expect(ofType(log, 'title-changed').map(({ title }) => title)).toEqual(['look', 'Kelp and rock'])
    const without = (await importOne(lines(...SESSION))).report.skippedCounts['not-conversation'] ?? 0
    expect(report.skippedCounts['not-conversation']).toBe(without + 1)
  })
})

describe('Codex', () => {
  const item = (payload: object): object => ({ timestamp: time(), type: 'response_item', payload })
  const words = (role: string, said: string): object =>
    item({ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text: said }] })
  const counted = (total: number): object => ({
    timestamp: time(),
    type: 'event_msg',
    payload: {
      type: 'token_count',
      info: {
        last_token_usage: { input_tokens: 100, cached_input_tokens: 60, output_tokens: 9, reasoning_output_tokens: 4 },
        total_token_usage: { total_tokens: total },
      },
    },
  })
  const META = {
    timestamp: time(),
    type: 'session_meta',
    payload: { id: 'rollout-1', model_provider: 'openai', base_instructions: { text: 'secret instructions' } },
  }
  const ROLLOUT = [
    META,
    { timestamp: time(), type: 'turn_context', payload: { model: 'gpt-5.5' } },
    words('developer', 'be careful'),
    words('user', '<environment_context>here</environment_context>'),
    words('user', 'look'),
    item({ type: 'reasoning', summary: [{ text: 'hm' }], encrypted_content: 'sealed' }),
    words('assistant', 'I look.'),
    item({ type: 'function_call', name: 'exec', call_id: 'c1', arguments: '{"cmd":"ls"}' }),
    item({ type: 'custom_tool_call', name: 'apply_patch', call_id: 'c2', input: '*** Begin' }),
    item({ type: 'function_call_output', call_id: 'c1', output: 'Process exited with code 0\nOutput:\nok' }),
    item({ type: 'custom_tool_call_output', call_id: 'c2', output: 'Exit code: 1\nno' }),
    counted(109),
    counted(109),
    words('assistant', 'Done.'),
    counted(218),
  ]

  it('[COST8, RUN11] makes steps of items, and one record of figures that are told twice', async () => {
    const { log, report } = await importOne(lines(...ROLLOUT))
    expect(report.format).toBe('codex')
    expect(saidIn(log)).toEqual(['look'])
    expect(ofType(log, 'step-finished').map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([
      ['thinking', 'text', 'tool-call', 'tool-call'],
      ['text'],
    ])
    expect(ofType(log, 'usage-recorded')).toMatchObject([
      { inputTokens: 40, cacheReadTokens: 60, outputTokens: 9, thinkingTokens: 4, measured: true },
      { inputTokens: 40 },
    ])
    expect(ofType(log, 'tool-call-settled').map(({ outcome }) => outcome)).toEqual(['ok', 'error'])
    expect(ofType(log, 'tool-call-started')[1]?.input).toEqual({ input: '*** Begin' })
    expect(JSON.stringify(log)).not.toMatch(/secret instructions|be careful|sealed/)
    expect(faultsOfLog(log)).toEqual([])
  })

  it('[COST8] gives figures that are told again to no other answer', async () => {
    const { log } = await importOne(lines(...ROLLOUT.slice(0, -2), words('assistant', 'Done.'), counted(109)))
    expect(ofType(log, 'step-finished')).toHaveLength(2)
    expect(ofType(log, 'usage-recorded')).toHaveLength(1)
  })

  it('[CHK1] keeps the words that a compaction kept', async () => {
    const kept = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'look' }] }]
    const { log } = await importOne(
      lines(...ROLLOUT, { timestamp: time(), type: 'compacted', payload: { message: '', replacement_history: kept } }),
    )
    expect(ofType(log, 'checkpoint-made')).toMatchObject([{ summary: 'look' }])
  })

  it('[LOG4] makes other conversations of the same source for other owners', async () => {
    const imports = openImports()
    const one = await importInto(imports, lines(...ROLLOUT))
    const other = await importInto(imports, lines(...ROLLOUT), { ownerId: 'user_2' })
    expect(one.conversationIds).not.toEqual(other.conversationIds)
  })
})

describe('pi', () => {
  const message = (body: object): object => ({ type: 'message', timestamp: time(), message: body })
  const usage = { input: 5, output: 6, cacheRead: 7, cacheWrite: 8, cost: { total: 0.25 } }
  const answer = (content: readonly object[], stopReason: string): object =>
    message({ role: 'assistant', content, provider: 'anthropic', model: 'claude-opus-4-5', usage, stopReason })
  const SESSION = [
    { type: 'session', id: 'pi-1', timestamp: time(), cwd: '/w' },
    message({ role: 'user', content: [text('look')] }),
    answer([{ type: 'toolCall', id: 't1', name: 'read', arguments: { path: 'a' } }], 'toolUse'),
    message({ role: 'toolResult', toolCallId: 't1', content: [text('words')], isError: true }),
    answer([text('Done.')], 'stop'),
    message({ role: 'user', content: 'more' }),
    answer([text('More.')], 'stop'),
  ]

  it('[COST8] takes figures and price as the source has them', async () => {
    const { log, report } = await importOne(lines(...SESSION))
    expect(report.format).toBe('pi')
    expect(ofType(log, 'usage-recorded')[0]).toMatchObject({
      inputTokens: 5,
      outputTokens: 6,
      cacheReadTokens: 7,
      cacheCreation5mTokens: 8,
      costUsd: 0.25,
      priceReference: 'imported from pi',
    })
    expect(ofType(log, 'tool-call-settled')).toMatchObject([{ outcome: 'error' }])
    expect(faultsOfLog(log)).toEqual([])
  })

  it('[CHK1] keeps what a compaction kept, from the beginning of its message on', async () => {
    const compaction = { type: 'compaction', timestamp: time(), summary: 'So far.', firstKeptEntryIndex: 5 }
    const { log } = await importOne(lines(...SESSION, compaction, message({ role: 'user', content: 'on' })))
    const [checkpoint] = ofType(log, 'checkpoint-made')
    expect(checkpoint?.keptFromSeq).toBe(ofType(log, 'run-started')[1]?.seq)
    expect(faultsOfLog(log)).toEqual([])
  })

  it('[STOP4, RUN9] reads aborted and failed answers', async () => {
    const { log } = await importOne(
      lines(
        ...SESSION,
        message({ role: 'user', content: 'again' }),
        answer([text('Ha')], 'aborted'),
        message({
          role: 'assistant',
          content: [],
          stopReason: 'error',
          errorMessage: 'no credit',
          provider: 'a',
          model: 'b',
        }),
      ),
    )
    expect(ofType(log, 'run-finished').map(({ outcome }) => outcome)).toEqual([
      'completed',
      'completed',
      'stopped',
      'failed',
    ])
  })
})

describe('Copilot', () => {
  it('[TOOL2] is read from its events', async () => {
    const event = (type: string, data: object): object => ({ type, data, timestamp: time() })
    const { log, report } = await importOne(
      lines(
        event('session.start', { sessionId: 'cop-1' }),
        event('user.message', { content: 'go' }),
        event('assistant.message', {
          messageId: 'm',
          model: 'claude',
          content: 'I look',
          toolRequests: [{ toolCallId: 't', name: 'bash', arguments: { command: 'ls' } }],
        }),
        event('tool.execution_complete', { toolCallId: 't', success: false, error: { message: 'no' } }),
        event('abort', { reason: 'user' }),
      ),
    )
    expect(report.format).toBe('copilot')
    expect(ofType(log, 'tool-call-settled')).toMatchObject([{ outcome: 'error', content: [{ text: 'no' }] }])
    expect(ofType(log, 'run-finished')).toMatchObject([{ outcome: 'stopped' }])
    expect(faultsOfLog(log)).toEqual([])
  })
})
