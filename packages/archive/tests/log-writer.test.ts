import { type Entry, parseNewEntry, placeEntry } from '@holdfast/conversation'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idsOf } from '../src/log/ids-of.ts'
import { createLogWriter } from '../src/log/log-writer.ts'
import type { SourceBlock, SourceEvent, SourceUsage } from '../src/log/source-event.ts'
import { faultsOfLog } from './support/engine-log.ts'
import { hashOf } from './support/import-into.ts'

const words = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.constantFrom('', ' \n', '\ud800', '</note>'))
const at = fc.option(fc.nat(1_000_000))
const callId = fc.constantFrom('call_a', 'call_b', 'call_c', '')
const model = fc.constantFrom('claude-opus-4', 'gpt-5', '')
const usage: fc.Arbitrary<SourceUsage> = fc.record({
  inputTokens: fc.nat(1_000),
  cacheReadTokens: fc.nat(1_000),
  cacheCreation5mTokens: fc.nat(10),
  cacheCreation1hTokens: fc.nat(10),
  outputTokens: fc.integer({ min: -5, max: 500 }),
  thinkingTokens: fc.nat(10),
  costUsd: fc.option(fc.double()),
  isOutputFinal: fc.boolean(),
})
const block: fc.Arbitrary<SourceBlock> = fc.oneof(
  fc.record({ type: fc.constantFrom('text' as const, 'thinking' as const), text: words }),
  fc.record({
    type: fc.constant('tool-call' as const),
    callId,
    name: fc.constantFrom('read', ''),
    inputText: fc.constantFrom('{"a":1}', '', '[1]', '{"a', '{"__proto__":{"b":1}}'),
  }),
)
const part = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('text' as const), text: words }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('data' as const),
      mediaType: fc.constantFrom('image/png', 'application/pdf'),
      base64: fc.constantFrom('aGk=', '!!', ''),
      name: fc.option(words),
    }),
  },
)
const parts = fc.array(part, { maxLength: 3 })

/** Whatever a reader may say, in any order: results before calls, ends without beginnings, ways back to anywhere. */
const event: fc.Arbitrary<SourceEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('said' as const), at, parts, by: fc.constantFrom('person', 'program') }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('answered' as const),
      at,
      answerId: fc.option(fc.constantFrom('m1', 'm2')),
      providerId: fc.constantFrom('anthropic', ''),
      modelId: model,
      blocks: fc.array(block, { maxLength: 3 }),
      usage: fc.option(usage),
      finish: fc.constantFrom('end', 'tool-calls', 'length', 'refused', 'stopped', null),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('returned' as const),
      at,
      callId,
      parts,
      isError: fc.boolean(),
      durationMs: fc.nat(9),
    }),
  },
  fc.record({ type: fc.constant('measured' as const), usage }),
  fc.record({ type: fc.constant('stopped' as const), at }),
  fc.record({
    type: fc.constant('failed' as const),
    at,
    providerId: fc.constantFrom('anthropic', ''),
    modelId: model,
    message: words,
    status: fc.constantFrom(500, null),
  }),
  fc.record({
    type: fc.constant('compacted' as const),
    at,
    by: fc.constantFrom('auto', 'person'),
    summary: words,
    keptFrom: fc.option(fc.nat(12)),
  }),
  fc.record({
    type: fc.constant('went-back' as const),
    at,
    toExchange: fc.nat(6),
    reason: fc.constantFrom('edit', 'retry', 'rewind'),
  }),
  fc.record({ type: fc.constant('titled' as const), title: words, source: fc.constantFrom('auto', 'user') }),
)

async function written(events: readonly SourceEvent[]): Promise<{ log: Entry[]; skipped: string[] }> {
  const ids = idsOf({ ownerId: 'user_1', format: 'test', sourceId: 'one' })
  const skipped: string[] = []
  const writer = createLogWriter({
    ids,
    ownerId: 'user_1',
    format: 'test',
    importedAt: 5_000,
    blobs: {
      put: ({ content, mediaType }) => Promise.resolve({ hash: hashOf(content), sizeBytes: content.length, mediaType }),
      has: () => Promise.resolve(false),
    },
    note: ({ reason }) => skipped.push(reason),
  })
  for (const one of events) await writer.write(one)
  writer.close()
  const log = writer
    .take()
    .map(({ at, entry }, index) =>
      placeEntry(parseNewEntry(entry), { conversationId: ids.conversationId, seq: index + 1, at }),
    )
  return { log, skipped }
}

const said = (text: string, by: 'person' | 'program' = 'person'): SourceEvent => ({
  type: 'said',
  at: 1_000,
  by,
  parts: [{ type: 'text', text }],
})
const answered = (answerId: string | null, ...blocks: readonly SourceBlock[]): SourceEvent => ({
  type: 'answered',
  at: 2_000,
  answerId,
  providerId: 'anthropic',
  modelId: 'claude-opus-4',
  blocks,
  usage: null,
  finish: null,
})
const call = (id: string): SourceBlock => ({ type: 'tool-call', callId: id, name: 'read', inputText: '{}' })
const returned = (id: string, text: string): SourceEvent => ({
  type: 'returned',
  at: 3_000,
  callId: id,
  isError: false,
  durationMs: 0,
  parts: [{ type: 'text', text }],
})
const types = (log: readonly Entry[]): string[] => log.map(({ type }) => type)

describe('the log of another program', () => {
  it('[RUN1, TOOL2, PRJ6, REQ2] is one that the engine could have written, whatever the source says in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
        const { log } = await written(events)
        if (log.length > 0) expect(faultsOfLog(log)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('[RUN11] joins the blocks of one answer, and gives a call the result that came between them', async () => {
    const { log } = await written([
      said('go'),
      answered('m1', { type: 'text', text: 'I look' }),
      answered('m1', call('a')),
      returned('a', 'found'),
      answered('m1', call('b')),
      returned('b', 'also'),
      answered('m2', { type: 'text', text: 'Done' }),
    ])
    const steps = log.flatMap((entry) => (entry.type === 'step-finished' ? [entry.blocks.length] : []))
    expect(steps).toEqual([3, 1])
    const outcomes = log.flatMap((entry) => (entry.type === 'tool-call-settled' ? [entry.callId, entry.outcome] : []))
    expect(outcomes).toEqual(['a', 'ok', 'b', 'ok'])
  })

  it('[TOOL2, TOOL6] settles a call without a result as unknown, and shows a result that comes after that', async () => {
    const { log } = await written([
      said('go'),
      answered(null, call('a'), call('b')),
      returned('b', 'found'),
      answered(null, { type: 'text', text: 'On' }),
      returned('a', 'late'),
    ])
    const settled = log.flatMap((entry) => (entry.type === 'tool-call-settled' ? [[entry.callId, entry.outcome]] : []))
    expect(settled).toEqual([
      ['a', 'unknown'],
      ['b', 'ok'],
    ])
    expect(log.find(({ type }) => type === 'tool-result-late')).toMatchObject({ callId: 'a' })
  })

  it('[RUN2] lets words said between results and the next answer join the turn, and others begin the next', async () => {
    const { log } = await written([
      said('go'),
      answered(null, call('a')),
      returned('a', 'found'),
      said('and quickly'),
      answered(null, { type: 'text', text: 'Done' }),
      said('thanks'),
    ])
    const lanes = log.flatMap((entry) => (entry.type === 'input-admitted' ? [entry.lane] : []))
    expect(lanes).toEqual(['turn', 'steer', 'turn'])
    expect(types(log).filter((type) => type === 'run-started')).toHaveLength(2)
  })

  it('[RUN1] begins the next turn with words that were said while a call was open and never returned', async () => {
    const { log } = await written([said('go'), answered(null, call('a')), said('forget it'), said('really')])
    expect(log.flatMap((entry) => (entry.type === 'run-finished' ? [entry.outcome] : []))).toEqual([
      'interrupted',
      'interrupted',
    ])
  })

  it('[COST8] carries usage as made elsewhere, estimates output that the source did not see the end of, and says so', async () => {
    const used = { inputTokens: 3, cacheReadTokens: 4, cacheCreation5mTokens: 5, cacheCreation1hTokens: 6 }
    const tail = { outputTokens: 2, thinkingTokens: 0, costUsd: null }
    const open = { ...used, ...tail, isOutputFinal: false }
    const { log } = await written([
      said('go'),
      { ...answered('m', { type: 'text', text: 'x'.repeat(100) }), usage: open } as SourceEvent,
      {
        ...answered('n', { type: 'text', text: 'y' }),
        usage: { ...open, costUsd: 0.5, isOutputFinal: true },
      } as SourceEvent,
    ])
    const records = log.filter((entry) => entry.type === 'usage-recorded')
    expect(records).toMatchObject([
      { ...used, outputTokens: 40, measured: false, costUsd: null, carried: true },
      { ...used, outputTokens: 2, measured: true, costUsd: 0.5, carried: true },
    ])
  })

  it('[PRJ6] goes back to the end of an exchange and counts what that sets aside', async () => {
    const { log } = await written([
      said('one'),
      answered(null, { type: 'text', text: 'first' }),
      said('two'),
      answered(null, { type: 'text', text: 'second' }),
      { type: 'went-back', toExchange: 1, reason: 'edit', at: null },
      said('two, better'),
    ])
    const end = log.find(({ type }) => type === 'run-finished')?.seq
    expect(log.find(({ type }) => type === 'path-rewound')).toMatchObject({
      toSeq: end,
      reason: 'edit',
      setAsideCount: 2,
    })
  })

  it('[STOP4, RUN1] ends a run as stopped, with what was said until then', async () => {
    const { log } = await written([
      said('go'),
      answered(null, { type: 'text', text: 'Half an ans' }),
      { type: 'stopped', at: 4_000 },
      { type: 'stopped', at: 5_000 },
    ])
    expect(types(log)).toEqual([
      ...['conversation-created', 'input-admitted', 'run-started', 'user-message-sent', 'step-started'],
      ...['step-finished', 'stop-requested', 'stop-noted', 'run-finished'],
    ])
    expect(log).toContainEqual(expect.objectContaining({ type: 'step-finished', finish: 'cut', cut: 'stopped' }))
    expect(log.at(-1)).toMatchObject({ outcome: 'stopped' })
  })

  it('[SEC5] takes fields that would change a prototype out of a tool input, and keeps its text as it came', async () => {
    const inputText = '{"__proto__":{"admin":true},"path":"a","deep":[{"__proto__":1}]}'
    const { log } = await written([
      said('go'),
      answered(null, { type: 'tool-call', callId: 'a', name: 'read', inputText }),
      answered(null, { type: 'tool-call', callId: 'b', name: 'read', inputText: '['.repeat(50_000) }),
    ])
    const started = log.filter((entry) => entry.type === 'tool-call-started')
    expect(started).toHaveLength(1)
    expect(JSON.stringify(started[0]?.input)).toBe('{"path":"a","deep":[{}]}')
    expect(JSON.stringify(log)).toContain(JSON.stringify(inputText))
  })
})
