import { composeRequest, requestFacts, validateRequest } from '@holdfast/context'
import {
  activePath,
  type Entry,
  type EntryOf,
  entriesOnPath,
  type LedgerTotals,
  overview,
  pathRanges,
  rangesUpTo,
} from '@holdfast/conversation'
import { says } from '@holdfast/engine/testing'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type Harness, openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const actor = { type: 'person', userId: 'user_1' } as const

const kinds = ['send', 'edit', 'retry', 'redo', 'rewind', 'select', 'fork', 'stop', 'archive'] as const
const act = fc.record({ kind: fc.constantFrom(...kinds), pick: fc.nat(1_000) })
type Act = { readonly kind: (typeof kinds)[number]; readonly pick: number }

/** Every third answer calls a tool. */
const scripts = Array.from({ length: 100 }, (_, index) =>
  index % 3 === 1
    ? calls({ callId: `call_${index}`, name: 'read', input: { path: `a${index}` } })
    : says(`Answer ${index}`),
)

async function readLog({ store }: Harness, conversationId: string): Promise<readonly Entry[]> {
  return (await store.read({ conversationId, after: 0, limit: 1_000 })).entries
}

/** Waits until nothing runs and nothing is about to. */
async function quiet(harness: Harness, conversationId: string): Promise<readonly Entry[]> {
  return vi.waitFor(async () => {
    const entries = await readLog(harness, conversationId)
    const { runState, queue } = overview.reduce(overview.initial, entries)
    if (runState.exclusive || (queue.inputs.length > 0 && queue.held === null)) throw new Error('Something runs')
    return entries
  })
}

/** Carries out one act, which may be refused. @returns the conversation to go on with. */
async function carryOut(harness: Harness, conversationId: string, { kind, pick }: Act, number: number) {
  const { engine } = harness
  const base = { commandId: `act-${number}`, actor, conversationId }
  const content = [{ type: 'text' as const, text: `Words ${number}` }]
  const entries = await readLog(harness, conversationId)
  const ends = entries.flatMap((entry) => (entry.type === 'run-finished' ? [entry.seq] : []))
  const place = [0, ...ends, pick % (entries.length + 1)][pick % (ends.length + 2)] ?? 0
  switch (kind) {
    case 'send':
      await engine.sendMessage({ ...base, content, lane: 'turn' })
      return conversationId
    case 'edit':
      await engine.rewind({ ...base, toSeq: place, reason: 'edit', content })
      return conversationId
    case 'retry':
    case 'redo':
    case 'rewind':
      await engine.rewind({ ...base, toSeq: place, reason: kind })
      return conversationId
    case 'select':
      await engine.selectPath({ ...base, headSeq: place })
      return conversationId
    case 'fork':
      return (await engine.fork({ ...base, atSeq: place })).conversationId
    case 'stop':
      await engine.sendMessage({ ...base, commandId: `send-${number}`, content, lane: 'turn' })
      for (let turns = 0; turns < pick % 40; turns++) await Promise.resolve()
      await engine.stopRun({ ...base, runId: null, force: false })
      return conversationId
    case 'archive':
      await engine.changeConversation({ ...base, archived: pick % 2 === 0 })
      return conversationId
  }
}

/** What is wrong with the request that every exchange of a log would be followed by, on its own branch. */
function problemsOf(log: readonly Entry[]): readonly string[] {
  const path = activePath.reduce(activePath.initial, log)
  const heads = [path.head, ...log.flatMap((entry) => (entry.type === 'run-finished' ? [entry.seq] : []))]
  return heads.flatMap((head) => {
    const ranges = head === path.head ? pathRanges(path) : rangesUpTo(path, head)
    const request = composeRequest({
      providerId: 'scripted',
      modelId: 'scripted',
      providerModelId: 'scripted',
      settings: {
        system: '',
        parameters: {},
        thinkingBudgetTokens: null,
        maxOutputTokens: null,
        toolChoice: 'auto',
        itemLimitChars: 50_000,
      },
      tools:
        log.findLast((entry): entry is EntryOf<'tools-changed'> => entry.type === 'tools-changed')?.definitions ?? [],
      facts: requestFacts.reduce(requestFacts.initial, log),
      bindsThinking: true,
      entries: [...entriesOnPath(log, ranges), ...nextInput(log.length)],
      carried: [],
    }).request
    return validateRequest(request).map(({ text }) => `After ${head}: ${text}`)
  })
}

function nextInput(head: number): Entry[] {
  const place = { conversationId: 'c', at: 0, v: 1, actor: { type: 'engine' as const }, runId: 'run_next' }
  return [
    { ...place, type: 'run-started', seq: head + 1, purpose: 'turn' },
    {
      ...place,
      type: 'user-message-sent',
      seq: head + 2,
      inputId: 'input_next',
      content: [{ type: 'text', text: 'Next' }],
    },
  ]
}

function neverLess(before: LedgerTotals, after: LedgerTotals): void {
  for (const [figure, value] of Object.entries(before))
    expect(Object.entries(after).find(([name]) => name === figure)?.[1], figure).toBeGreaterThanOrEqual(value)
}

const REFUSALS = new Set(['path-refused', 'run-active'])

describe('any mix of edits, retries, branches, forks and stops', () => {
  it('[COST2] keeps the totals from falling, and every path one that a request can be made of', {
    timeout: 60_000,
  }, async () => {
    let refusedCount = 0
    let doneCount = 0
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 10 }), async (acts) => {
        const harness = await openHarness(scripts, [testTool({ name: 'read', category: 'read' }).tool])
        let { conversationId } = harness
        let totals = overview.initial.ledger.total
        for (const [number, drawn] of [{ kind: 'send' as const, pick: 0 }, ...acts].entries()) {
          const before = conversationId
          try {
            conversationId = await carryOut(harness, conversationId, drawn, number)
            doneCount += 1
          } catch (error) {
            if (!(error instanceof Error && 'code' in error && REFUSALS.has(String(error.code)))) throw error
            refusedCount += 1
          }
          const log = await quiet(harness, conversationId)
          const now = overview.reduce(overview.initial, log).ledger
          if (conversationId === before) neverLess(totals, now.total)
          else expect(now.own.requestCount).toBe(0)
          totals = now.total
          expect(now.wrongTotals).toEqual([])
          expect(problemsOf(log)).toEqual([])
        }
        expect(harness.faults).toEqual([])
        for (const request of harness.model.requests) expect(validateRequest(request)).toEqual([])
        await harness.engine.close()
      }),
      { numRuns: 40 },
    )
    expect(refusedCount).toBeGreaterThan(0)
    expect(doneCount).toBeGreaterThan(refusedCount)
  })
})
