import { MAX_PAGE_ENTRIES, runState, transcript, visibleItems } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'
import { type Imports, importInto, lines, logOf, openImports } from './support/import-into.ts'

const at = (second: number): string => new Date(Date.UTC(2026, 1, 2, 0, 0, second)).toISOString()
const record = (second: number, type: 'user' | 'assistant', content: unknown): object => ({
  type,
  sessionId: 's',
  uuid: `u${second}`,
  parentUuid: second === 0 ? null : `u${second - 1}`,
  timestamp: at(second),
  message: { role: type, content, ...(type === 'assistant' ? { id: `m${second}`, model: 'claude' } : {}) },
})
const use = (id: string): object => ({ type: 'tool_use', id, name: 'read', input: {} })
const result = (id: string): object => ({ type: 'tool_result', tool_use_id: id, content: `words of ${id}` })
const RECORDS = [
  record(0, 'user', 'look'),
  record(1, 'assistant', [use('t1')]),
  record(2, 'user', [result('t1')]),
  record(3, 'assistant', [use('t2')]),
  record(4, 'user', [result('t2')]),
  record(5, 'assistant', [{ type: 'text', text: 'Done.' }]),
  record(6, 'user', 'thanks'),
  record(7, 'assistant', [{ type: 'text', text: 'Gladly.' }]),
]
const upTo = (count: number): string => lines(...RECORDS.slice(0, count))

/** What a person reads, in order. */
async function words({ store }: Imports, conversationId: string | undefined): Promise<string> {
  const log = await store.read({ conversationId: conversationId ?? '', after: 0, limit: MAX_PAGE_ENTRIES })
  const items = visibleItems(transcript.reduce(transcript.initial, log.entries))
  const said = items.filter(({ role }) => role !== 'title')
  return JSON.stringify(said.map(({ parts, toolCalls }) => [parts, toolCalls]))
}

describe('a source that has grown', () => {
  it('[SYNC4] is found by its first words where it says no name, and by its own name as soon as it does', async () => {
    const imports = openImports()
    const long = record(0, 'user', `${'walnut '.repeat(20)}\nsecond line`)
    const { conversationIds } = await importInto(imports, lines(long, RECORDS[1]))
    const nameNow = async () => (await imports.store.readListing(conversationIds[0] ?? ''))?.title
    expect(await nameNow()).toBe(`${'walnut '.repeat(9).slice(0, 60).trim()}…`)
    const named = { type: 'ai-title', sessionId: 's', aiTitle: 'About nuts' }
    const { report } = await importInto(imports, lines(long, RECORDS[1], named))
    expect(report.updated).toBe(1)
    expect(await nameNow()).toBe('About nuts')
  })

  it('[LOG1, RUN1] brings what is new behind what is there, wherever it ended before', async () => {
    for (let first = 1; first < RECORDS.length; first++) {
      const imports = openImports()
      const { conversationIds } = await importInto(imports, upTo(first))
      const before = await logOf(imports, conversationIds[0])
      const { report } = await importInto(imports, upTo(RECORDS.length))
      expect(report).toMatchObject({ conversations: 0, updated: 1, alreadyThere: 0, unchanged: 0 })
      const after = await logOf(imports, conversationIds[0])
      expect(after.slice(0, before.length)).toEqual(before)
      const { exclusive, side } = runState.reduce(runState.initial, after)
      expect([exclusive, side]).toEqual([null, []])
      const said = await words(imports, conversationIds[0])
      for (const word of ['look', 'words of t1', 'words of t2', 'Done.', 'thanks', 'Gladly.'])
        expect(said.split(word), `${word} after ${first} records`).toHaveLength(2)
    }
  })

  it('[LOG4] grows record by record, and an older or equal copy adds nothing', async () => {
    const imports = openImports()
    for (let count = 1; count <= RECORDS.length; count++) {
      const { report } = await importInto(imports, upTo(count))
      expect(report, `with ${count} records`).toMatchObject(count === 1 ? { conversations: 1 } : { updated: 1 })
    }
    const { appends } = imports
    for (const count of [8, 5, 1]) {
      const { report } = await importInto(imports, upTo(count))
      expect(report).toMatchObject({ conversations: 0, updated: 0, alreadyThere: 1, unchanged: 0, entries: 0 })
    }
    expect(imports.appends).toBe(appends)
  })

  it('[LOG1] adds nothing to a conversation that was continued here, and says so', async () => {
    const imports = openImports()
    const { conversationIds } = await importInto(imports, upTo(6))
    const [conversationId = ''] = conversationIds
    const before = await logOf(imports, conversationId)
    const actor = { type: 'person', userId: 'user_1' } as const
    const entries = [{ type: 'title-changed', actor, title: 'Mine', source: 'user' } as const]
    await imports.store.append({ conversationId, after: before.length, at: 1, entries })
    expect((await importInto(imports, upTo(6))).report).toMatchObject({ alreadyThere: 1, unchanged: 0 })
    const { report } = await importInto(imports, upTo(8))
    expect(report).toMatchObject({ updated: 0, unchanged: 1, entries: 0, skippedCounts: { 'changed-here': 1 } })
    expect(report.skips[0]?.what).toContain('was changed here after it was imported')
    expect(await logOf(imports, conversationId)).toHaveLength(before.length + 1)
  })

  it('[LOG1] leaves what is there when the source begins otherwise now', async () => {
    const imports = openImports()
    const { conversationIds } = await importInto(imports, upTo(6))
    const before = await logOf(imports, conversationIds[0])
    const other = lines(record(0, 'user', 'look again'), ...RECORDS.slice(1))
    const { report } = await importInto(imports, other)
    expect(report).toMatchObject({ updated: 0, unchanged: 1, skippedCounts: { 'changed-source': 1 } })
    expect(await logOf(imports, conversationIds[0])).toEqual(before)
  })

  it('[LOG2] goes on where the addition was cut', async () => {
    const limits = { batchEntries: 1 }
    const whole = openImports()
    const { conversationIds } = await importInto(whole, upTo(2), { limits })
    const { appends } = whole
    await importInto(whole, upTo(8), { limits })
    const expected = await logOf(whole, conversationIds[0])
    expect(whole.appends).toBeGreaterThan(appends + 1)
    for (let stopAfter = 0; stopAfter < whole.appends - appends; stopAfter++) {
      const cut = openImports()
      await importInto(cut, upTo(2), { limits })
      await importInto(cut, upTo(8), { limits, stopAfter })
      await importInto(cut, upTo(8), { limits })
      expect(await logOf(cut, conversationIds[0])).toEqual(expected)
    }
  })
})
