import { type Entry, exclusions, type NewEntry, noTotals, transcript, visibleItems } from '@holdfast/conversation'
import {
  arbitraryLog,
  checkpointMade,
  conversationCreated,
  logOf,
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  wholeTurn,
} from '@holdfast/conversation/testing'
import { toTranscriptAnswer } from '@holdfast/protocol'
import { createMemoryStore } from '@holdfast/store/memory'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLedger } from '../src/routes/reading/read-ledger.ts'
import { readTranscript } from '../src/routes/reading/read-transcript.ts'
import { realClock } from './support/real-ports.ts'

const silent = { info() {}, warn() {}, error() {} }

async function storeWith(log: readonly Entry[]) {
  const { store } = createMemoryStore({ clock: realClock })
  for (const { conversationId, seq, at, v: _v, ...entry } of log)
    await store.append({ conversationId, after: seq - 1, entries: [entry], at })
  return store
}

/** What a person reads of a whole log. */
function answersOf(log: readonly Entry[]) {
  const left = exclusions.reduce(exclusions.initial, log)
  return visibleItems(transcript.reduce(transcript.initial, log)).map((item) => toTranscriptAnswer(item, left))
}

/** Pages from the end to the beginning, each before the one that was read last. */
async function readByPages(store: Awaited<ReturnType<typeof storeWith>>, conversationId: string, limit: number) {
  const pages = []
  for (let before: number | null = null; ; ) {
    const { items } = await readTranscript({ store, log: silent }, { conversationId, before, limit })
    const [first] = items
    if (!first) return pages.flat()
    pages.unshift(items)
    before = first.seq
  }
}

test('[LOG5, PRJ4] pages of any size are the fold of the whole log', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryLog, fc.integer({ min: 1, max: 9 }), async (log, limit) => {
      const [first] = log
      if (!first) return
      const store = await storeWith(log)
      const whole = answersOf(log)
      expect(await readByPages(store, first.conversationId, limit)).toEqual(whole)
      await store.close()
    }),
    { numRuns: 100 },
  )
})

test('[PRJ4] a title that is made while the next turn begins is no answer', async () => {
  const log = logOf('conversation_1', [
    conversationCreated('local'),
    ...wholeTurn(1, { asked: 'q', answered: 'a' }),
    runStarted('run_title', 'title'),
    stepStarted('run_title', 'step_title', 'title'),
    runStarted('run_2', 'turn'),
    stepStarted('run_2', 'step_2', 'turn'),
    stepFinished('run_title', 'step_title', [textBlock('A title')]),
    runFinished('run_title', 'completed'),
    stepFinished('run_2', 'step_2', [textBlock('An answer')]),
    runFinished('run_2', 'completed'),
  ])
  const store = await storeWith(log)
  const { items } = await readTranscript(
    { store, log: silent },
    { conversationId: 'conversation_1', before: null, limit: 1 },
  )
  expect(items).toMatchObject([{ role: 'assistant', parts: [{ text: 'An answer' }] }])
  const whole = answersOf(log)
  expect(await readByPages(store, 'conversation_1', 1)).toEqual(whole)
  await store.close()
})

test('[PRJ7] a page says the code and the facts of what has no words', async () => {
  const person = { type: 'person', userId: 'local' } as const
  const error = { code: 'overloaded', message: 'Too busy', status: 529 } as const
  const wordless: readonly NewEntry[] = [
    checkpointMade({ fromSeq: 1, toSeq: 4 }, 'They greeted'),
    { type: 'checkpoint-undone', actor: person, checkpointSeq: 9 },
    { type: 'window-moved', actor: { type: 'engine' }, startSeq: 3, leftOutCount: 2 },
    { type: 'agent-switched', actor: person, agentId: 'agent_1', agentName: 'Ada' },
    runStarted('run_2', 'turn'),
    stepStarted('run_2', 'step_2', 'turn'),
    {
      type: 'step-failed',
      actor: { type: 'engine' },
      runId: 'run_2',
      stepId: 'step_2',
      error,
      attempt: 2,
      retryAt: 5_000,
    },
  ]
  const turn = wholeTurn(1, { asked: 'q', answered: 'a' })
  const store = await storeWith(logOf('conversation_1', [conversationCreated('local'), ...turn, ...wordless]))
  const { items } = await readTranscript(
    { store, log: silent },
    { conversationId: 'conversation_1', before: null, limit: 5 },
  )
  expect(items).toMatchObject([
    { role: 'summary', source: 'auto', coversFromSeq: 1, coversToSeq: 4, keptFromSeq: 5 },
    { role: 'notice', code: 'checkpoint-undone', checkpointSeq: 9 },
    { role: 'notice', code: 'window-moved', startSeq: 3, leftOutCount: 2 },
    { role: 'notice', code: 'agent-switched', agentId: 'agent_1', agentName: 'Ada' },
    { role: 'error', code: 'overloaded', attempt: 2, retryAt: 5_000 },
  ])
  await store.close()
})

test('[LOG14] a page of long messages ends before its limit, and all pages together are the whole', async () => {
  const long = 'many words '.repeat(40_000)
  const turns = Array.from({ length: 12 }, (_, index) => wholeTurn(index, { asked: long, answered: long }))
  const log = logOf('conversation_1', [conversationCreated('local'), ...turns.flat()])
  const store = await storeWith(log)
  const { items } = await readTranscript(
    { store, log: silent },
    { conversationId: 'conversation_1', before: null, limit: 200 },
  )
  expect(items.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(await readByPages(store, 'conversation_1', 200)).toEqual(answersOf(log))
  await store.close()
})

test('[LOG5] a page of a long log is read from as few entries as one of a short log', async () => {
  const readFor = async (turnCount: number): Promise<number> => {
    const turns = Array.from({ length: turnCount }, (_, index) => wholeTurn(index, { asked: 'q', answered: 'a' }))
    const store = await storeWith(logOf('conversation_1', [conversationCreated('local'), ...turns.flat()]))
    const overview = await readTranscript(
      { store, log: silent },
      { conversationId: 'conversation_1', before: null, limit: 1 },
    )
    const middle = Math.floor(overview.head / 2)
    let read = 0
    const counting: Parameters<typeof readTranscript>[0]['store'] = {
      ...store,
      async read(query) {
        const page = await store.read(query)
        read += page.entries.length
        return page
      },
    }
    await readTranscript(
      { store: counting, log: silent },
      { conversationId: 'conversation_1', before: middle, limit: 10 },
    )
    await store.close()
    return read
  }
  expect(await readFor(800)).toBeLessThan(2 * (await readFor(160)))
})

test('[COST13] totals of an accounting line that are not those of the records before it are said, and logged', async () => {
  const totals = { ...noTotals, requestCount: 7 }
  const rewound: NewEntry = {
    type: 'path-rewound',
    actor: { type: 'engine' },
    toSeq: 0,
    reason: 'edit',
    setAsideCount: 0,
    totals,
  }
  const store = await storeWith(logOf('conversation_1', [conversationCreated('local'), rewound]))
  const warned: Readonly<Record<string, unknown>>[] = []
  const log = { ...silent, warn: (_: string, fields: Readonly<Record<string, unknown>>) => void warned.push(fields) }
  const page = { conversationId: 'conversation_1', before: null, limit: 10 }
  const wrong = { seq: 2, written: totals, folded: noTotals }
  expect((await readLedger({ store, log }, page)).wrongTotals).toEqual([wrong])
  await readTranscript({ store, log }, page)
  expect(warned).toEqual([
    { conversationId: 'conversation_1', ...wrong },
    { conversationId: 'conversation_1', ...wrong },
  ])
  await store.close()
})
