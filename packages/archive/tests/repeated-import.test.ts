import { describe, expect, it } from 'vitest'
import { importInto, lines, logOf, openImports } from './support/import-into.ts'

const at = (second: number): string => new Date(Date.UTC(2026, 1, 2, 0, 0, second)).toISOString()
const record = (second: number, type: 'user' | 'assistant', content: unknown): object => ({
  type,
  sessionId: 's',
  uuid: `u${second}`,
  parentUuid: second === 0 ? null : `u${second - 1}`,
  timestamp: at(second),
  message: { role: type, content, ...(type === 'assistant' ? { id: `m${second}`, model: 'claude' } : {}) },
})
const use = { type: 'tool_use', id: 't', name: 'read', input: {} }
const SOURCE = lines(
  record(0, 'user', 'look'),
  record(1, 'assistant', [use]),
  'damaged',
  record(2, 'user', [{ type: 'tool_result', tool_use_id: 't', content: 'words' }]),
  record(3, 'assistant', [{ type: 'text', text: 'Done.' }]),
  record(4, 'user', 'thanks'),
)

describe('an import', () => {
  it('[LOG4] adds nothing when it is repeated, and says that all was there', async () => {
    const imports = openImports()
    const first = await importInto(imports, SOURCE)
    const before = await logOf(imports, first.conversationIds[0])
    const { appends } = imports
    const second = await importInto(imports, SOURCE)
    expect(imports.appends).toBe(appends)
    expect(second.report).toMatchObject({ conversations: 0, alreadyThere: 1, entries: 0 })
    expect(second.report.skippedCounts['already-imported']).toBe(1)
    expect(await logOf(imports, first.conversationIds[0])).toEqual(before)
  })

  it('[LOG4, LOG2] goes on where it was cut, wherever that was, to the same log', async () => {
    const whole = openImports()
    const limits = { batchEntries: 2 }
    const { conversationIds, report } = await importInto(whole, SOURCE, { limits })
    const expected = await logOf(whole, conversationIds[0])
    expect(whole.appends).toBeGreaterThan(4)
    for (let stopAfter = 0; stopAfter < whole.appends; stopAfter++) {
      const cut = openImports()
      await importInto(cut, SOURCE, { limits, stopAfter })
      expect(cut.appends).toBe(stopAfter)
      const rest = await importInto(cut, SOURCE, { limits })
      expect(await logOf(cut, conversationIds[0])).toEqual(expected)
      const written = expected.length - rest.report.entries
      expect(rest.report.entries).toBe(report.entries - written)
    }
  })

  it('[SEC5] passes over a line that is longer than allowed, and takes the others', async () => {
    const imports = openImports()
    const long = record(9, 'user', 'x'.repeat(5_000))
    const { report } = await importInto(imports, `${SOURCE}\n${JSON.stringify(long)}`, {
      limits: { valueChars: 4_000 },
    })
    expect(report.skips).toContainEqual(expect.objectContaining({ reason: 'too-long', line: 7 }))
    expect(report.conversations).toBe(1)
  })

  it('[LOG5] keeps what it holds bounded while a source of 200 MB goes through', async () => {
    const imports = openImports()
    const progress = `${JSON.stringify({ type: 'progress', sessionId: 's', uuid: 'p', data: 'x'.repeat(1_000_000) })}\n`
    const source = (async function* () {
      yield `${SOURCE}\n`
      for (let count = 0; count < 200; count++) yield progress
    })()
    const before = process.memoryUsage()
    const { report } = await importInto(imports, source)
    const after = process.memoryUsage()
    expect(report.characters).toBeGreaterThan(200_000_000)
    expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(150 * 1024 * 1024)
    expect(report.skippedCounts['not-conversation']).toBe(200)
    expect(report.skips.filter(({ reason }) => reason === 'not-conversation')).toHaveLength(100)
  })
})
