import { exportHtml, exportJson, exportMarkdown } from '@holdfast/archive'
import { type Entry, ledger, type NewEntry, overview, placeEntry } from '@holdfast/conversation'
import { arbitraryLog, conversationCreated, fileSent, logOf as placed, wholeTurn } from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foreignEntry } from '../src/import/foreign-entry.ts'
import { hashOf, importInto, importOne, logOf, OWNER, openImports, pieces } from './support/import-into.ts'
import { written } from './support/written.ts'

const BYTES = Buffer.from('notes')
const BLOB = { hash: hashOf(BYTES), sizeBytes: BYTES.length, mediaType: 'text/plain' }

async function exported(log: readonly Entry[], readBlob: Parameters<typeof exportJson>[0]['readBlob'] = null) {
  let text = ''
  for await (const piece of exportJson({ conversationId: 'conversation_1', entries: pieces(log), readBlob }))
    text += piece
  return text
}

/** Entries as they come back: at home in the importer's conversation. */
function atHome(log: readonly Entry[], conversationId: string): Entry[] {
  return log.map(({ seq, at, v: _v, conversationId: _id, ...entry }) =>
    placeEntry(foreignEntry(entry as NewEntry, OWNER), { conversationId, seq, at }),
  )
}

const turn = wholeTurn(1, { asked: 'go', answered: 'done' })

it('[LOG16, LOG11] a file is written piece by piece, and comes back byte for byte wherever its pieces are cut', async () => {
  const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, place) => (place * 7_919) % 251))
  const blob = { hash: hashOf(bytes), sizeBytes: bytes.length, mediaType: 'text/plain' }
  const log = placed('conversation_1', [conversationCreated('user_1'), fileSent('run_1', 'input_1', blob)])
  for (const size of [64_000, 64_001, 65_537]) {
    const cut = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    )
    const readBlob = async () => ({ mediaType: blob.mediaType, content: pieces(cut) })
    const texts: string[] = []
    for await (const text of exportJson({ conversationId: 'conversation_1', entries: pieces(log), readBlob }))
      texts.push(text)
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(100_000)
    expect(JSON.parse(texts.join(''))).toMatchObject({
      records: [{ entry: { seq: 1 } }, { blob: { hash: blob.hash, base64: bytes.toString('base64') } }, { entry: {} }],
    })
  }
})

describe('an export of a conversation', () => {
  it('[COST2, LOG1] comes back as the same log, every entry of every branch at its own place, with the same totals', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLog, async (log) => {
        const imports = openImports()
        const { conversationIds, report } = await importInto(imports, await exported(log))
        const again = await logOf(imports, conversationIds[0])
        expect(report.skips).toEqual([])
        expect(again.slice(0, log.length)).toEqual(atHome(log, conversationIds[0] ?? ''))
        expect(again.at(-1)?.type).toBe('imported')
        const totals = ledger.reduce(ledger.initial, log).total
        expect(ledger.reduce(ledger.initial, again)).toMatchObject({ total: totals, own: { requestCount: 0 } })
      }),
      { numRuns: 150 },
    )
  })

  it('[SEC5, RUN1] leaves nothing that runs, waits or is sent by itself, whatever the log was in the middle of', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLog, async (log) => {
        const imports = openImports()
        const { conversationIds } = await importInto(imports, await exported(log))
        const state = overview.reduce(overview.initial, await logOf(imports, conversationIds[0]))
        expect([state.runState.exclusive, state.runState.side]).toEqual([null, []])
        expect(state.queue.inputs.length === 0 || state.queue.held !== null).toBe(true)
        expect(state.permissionRules).toEqual([])
        expect(state.ownerId).toBe(OWNER)
      }),
      { numRuns: 150 },
    )
  })

  it('[SEC1, SEC5] gives no rights: other owners, modes, folders, rules and sub-agents are not taken over', async () => {
    const engine = { type: 'engine' } as const
    const stranger = { type: 'person', userId: 'user_9' } as const
    const settings = { permissionMode: 'bypass', workspace: '/', budgetUsd: 9, instructions: 'be brief' } as const
    const { log: all } = await importOne(
      await exported(
        placed('conversation_1', [
          { type: 'conversation-created', actor: stranger, ownerId: 'user_9', settings, origin: { type: 'new' } },
          {
            type: 'settings-changed',
            actor: stranger,
            changes: { permissionMode: 'bypass', workspace: '/etc', modelId: 'm' },
          },
          { type: 'permission-rule-changed', actor: stranger, ruleId: 'r', rule: { effect: 'allow', tool: '*' } },
          ...turn.slice(0, 4),
          {
            type: 'tool-call-started',
            actor: engine,
            runId: 'run_1',
            stepId: 'step_1',
            callId: 'c',
            name: 'task',
            input: {},
            effects: true,
            childConversationId: 'conversation_of_user_9',
          },
        ]),
      ),
    )
    const state = overview.reduce(overview.initial, all)
    expect(state.settings).toEqual({ instructions: 'be brief', modelId: 'm' })
    expect(state).toMatchObject({ ownerId: OWNER, permissionRules: [] })
    expect(JSON.stringify(all)).not.toMatch(/user_9|bypass|\/etc|conversation_of/)
  })

  it('[LOG11] holds its blobs, and says which are not there', async () => {
    const log = placed('conversation_1', [
      conversationCreated('user_1'),
      ...turn.slice(0, 2),
      fileSent('run_1', 'upload_i', BLOB),
    ])
    const content = { mediaType: 'text/plain', content: pieces([BYTES]) }
    const whole = await importOne(await exported(log, () => Promise.resolve(content)))
    expect(whole.report.skips).toEqual([])
    expect(whole.log[3]).toMatchObject({ content: [{ type: 'file', blob: BLOB }] })
    const without = await importOne(await exported(log))
    expect(without.report.skippedCounts).toEqual({ 'missing-attachment': 1 })
    expect(without.log[3]).toMatchObject({ content: [{ type: 'text', text: '[notes.txt: not in the imported file]' }] })
    const forged = (await exported(log, () => Promise.resolve(content))).replace(BYTES.toString('base64'), 'AAAA')
    expect((await importOne(forged)).report.skippedCounts).toEqual({ 'damaged-attachment': 1, 'missing-attachment': 1 })
  })

  it('[LOG6, LOG7] leaves a tombstone where an entry is missing, malformed or newer, so that all others keep their places', async () => {
    const log = placed('conversation_1', [conversationCreated('user_1'), ...turn])
    const document: { records: { entry: Record<string, unknown> }[] } = JSON.parse(await exported(log))
    const { records } = document
    Object.assign(records[2]?.entry ?? {}, { purpose: 'world domination' })
    Object.assign(records[3]?.entry ?? {}, { v: 99 })
    records.splice(5, 1)
    const { log: again, report } = await importOne(JSON.stringify(document, null, 1))
    expect(again.map(({ type }) => type)).toEqual([
      ...['conversation-created', 'input-admitted', 'body-erased', 'body-erased', 'step-started', 'body-erased'],
      // The input whose sending was lost would wait to be sent: it is held.
      ...['usage-recorded', 'run-finished', 'queue-held', 'imported'],
    ])
    expect(report.skips.map(({ reason }) => reason)).toEqual(['malformed', 'unknown-kind', 'damaged'])
    expect(report.skips.every(({ line }) => line !== null)).toBe(true)
  })

  it('[LOG7] of a damaged log says which places are missing, also at its end', async () => {
    const log = placed('conversation_1', [conversationCreated('user_1'), ...turn])
    const left = log.filter(({ seq }) => seq !== 3 && seq < 7)
    const source = { conversationId: 'conversation_1', entries: pieces(left), readBlob: null, head: log.length }
    let text = ''
    for await (const piece of exportJson(source)) text += piece
    const missing = [
      { from: 3, to: 3 },
      { from: 7, to: log.length },
    ]
    expect(JSON.parse(text)).toMatchObject({ missing })
    expect((await importOne(text)).report).toMatchObject({ conversations: 1, skippedCounts: { damaged: 1 } })
    const options = {
      includesToolCalls: true,
      includesThinking: true,
      includesSetAside: true,
      includesUsage: true,
      includesAttachments: true,
    }
    for (const write of [exportMarkdown, exportHtml]) {
      expect(await written(write, left, { ...options, head: log.length })).toContain(
        `missing entries: 3, 7 to ${log.length}`,
      )
      expect(await written(write, log, { ...options, head: log.length })).not.toContain('damaged')
    }
    expect(await exported(log)).not.toContain('missing')
  })

  it('[LOG6] of a newer version is refused in words that say what to do', async () => {
    const text = (await exported(placed('conversation_1', [conversationCreated('user_1')]))).replace(
      '"version":1',
      '"version":2',
    )
    const { report } = await importOne(text)
    expect(report.conversations).toBe(0)
    expect(report.skips[0]?.what).toMatch(/has version 2; 1 is known here\. Install/)
  })

  it('[LOG4] is imported once', async () => {
    const imports = openImports()
    const text = await exported(placed('conversation_1', [conversationCreated('user_1'), ...turn]))
    await importInto(imports, text)
    const { appends } = imports
    expect((await importInto(imports, text)).report).toMatchObject({ conversations: 0, alreadyThere: 1 })
    expect(imports.appends).toBe(appends)
  })
})
