import { requestFacts } from '@holdfast/context'
import { type Entry, exclusions, type NewEntry, placeEntry } from '@holdfast/conversation'
import {
  conversationCreated,
  logOf,
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  titleChanged,
  toolCallBlock,
  toolCallSettled,
  toolCallStarted,
  usageRecorded,
  userMessageSent,
} from '@holdfast/conversation/testing'
import { describe, expect, it } from 'vitest'
import { carryPath } from '../src/commands/carry-path.ts'

const engine = { type: 'engine' } as const

/** A turn of one step. */
function turn(number: number, words: string): NewEntry[] {
  const [runId, stepId] = [`run_${number}`, `step_${number}`]
  return [
    runStarted(runId, 'turn'),
    userMessageSent(runId, `input_${number}`, words),
    stepStarted(runId, stepId, 'turn'),
    stepFinished(runId, stepId, [textBlock(`Answer to ${words}`)]),
    usageRecorded(runId, stepId, { input: 10, output: 2 }),
    runFinished(runId, 'completed'),
  ]
}

/** What a path of these entries begins another log with, behind two entries of its own. */
function carried(entries: readonly NewEntry[], firstSeq = 3): readonly Entry[] {
  const log = logOf('conversation_1', [conversationCreated('user_1'), ...entries])
  const facts = requestFacts.reduce(requestFacts.initial, log)
  return carryPath({ entries: log, facts, firstSeq }).map((entry, index) =>
    placeEntry(entry, { conversationId: 'conversation_2', seq: firstSeq + index, at: 9_000 }),
  )
}

describe('a path that goes on in another log', () => {
  it('[PRJ6] leaves behind what belongs to the conversation, and runs beside it that may be half', () => {
    const entries = carried([
      titleChanged('Mine', 'user'),
      { type: 'queue-held', actor: engine, reason: 'person' },
      ...turn(1, 'One'),
      runStarted('run_title', 'title'),
      stepStarted('run_title', 'step_title', 'title'),
      usageRecorded('run_title', 'step_title', { input: 5, output: 1 }),
    ])
    expect(entries.map(({ type }) => type)).toEqual([
      'run-started',
      'user-message-sent',
      'step-started',
      'step-finished',
      'usage-recorded',
      'run-finished',
      'usage-recorded',
    ])
  })

  it('[COST8] marks usage as carried, and leaves out what sub-agents cost in conversations of their own', () => {
    const totals = { requestCount: 1, inputTokens: 1, cacheReadTokens: 0, cacheCreation5mTokens: 0 }
    const childTotals = {
      ...totals,
      cacheCreation1hTokens: 0,
      outputTokens: 1,
      thinkingTokens: 0,
      costUsd: 0,
      unpricedCount: 0,
      estimatedCount: 0,
    }
    const settled = toolCallSettled('run_1', 'step_1', { callId: 'c', name: 'task', outcome: 'ok' })
    const entries = carried([
      runStarted('run_1', 'turn'),
      userMessageSent('run_1', 'input_1', 'One'),
      stepStarted('run_1', 'step_1', 'turn'),
      stepFinished('run_1', 'step_1', [toolCallBlock('c', 'task')]),
      toolCallStarted('run_1', 'step_1', { callId: 'c', name: 'task' }),
      usageRecorded('run_1', 'step_1', { input: 10, output: 2 }),
      ...(settled.type === 'tool-call-settled' ? [{ ...settled, childTotals }] : []),
      runFinished('run_1', 'completed'),
    ])
    expect(entries.find(({ type }) => type === 'usage-recorded')).toMatchObject({ carried: true })
    const carriedCall = entries.find(({ type }) => type === 'tool-call-settled')
    expect(carriedCall).toMatchObject({ callId: 'c' })
    expect(carriedCall).not.toHaveProperty('childTotals')
  })

  it('[CHK1] names the places that its entries have there: of checkpoints, windows, anchors and quotes', () => {
    const source: NewEntry[] = [
      titleChanged('Mine', 'user'),
      ...turn(1, 'One'),
      titleChanged('Mine again', 'user'),
      ...turn(2, 'Two'),
    ]
    // In the source, run 1 stands at 3 to 8 and run 2 at 10 to 15.
    const entries = carried([
      ...source,
      {
        type: 'checkpoint-made',
        actor: engine,
        source: 'auto',
        summary: 'One',
        verbatimSeqs: [4, 9],
        coversFromSeq: 1,
        coversToSeq: 9,
        keptFromSeq: 10,
      },
      { type: 'window-moved', actor: engine, startSeq: 10, checkpointSeq: 16, leftOutCount: 2 },
      { type: 'checkpoint-undone', actor: engine, checkpointSeq: 16 },
      runStarted('run_3', 'turn'),
      {
        type: 'user-message-sent',
        actor: engine,
        runId: 'run_3',
        inputId: 'input_3',
        content: [{ type: 'quote', text: 'One', seq: 6 }],
      },
      { ...stepStarted('run_3', 'step_3', 'turn'), anchors: [4, 9, 11], windowStartSeq: 10 } as NewEntry,
    ])
    const at = (type: Entry['type']) => entries.findLast((entry) => entry.type === type)
    expect(at('checkpoint-made')).toMatchObject({
      coversFromSeq: 3,
      coversToSeq: 8,
      keptFromSeq: 9,
      verbatimSeqs: [4],
      seq: 15,
    })
    expect(at('window-moved')).toMatchObject({ startSeq: 9, checkpointSeq: 15 })
    expect(at('checkpoint-undone')).toMatchObject({ checkpointSeq: 15 })
    expect(at('user-message-sent')).toMatchObject({ content: [{ type: 'quote', seq: 6 }] })
    expect(at('step-started')).toMatchObject({ anchors: [4, 10], windowStartSeq: 9 })
  })

  it('[TOOL10, PRJ6] leaves out what was left out, also where the path no longer says so', () => {
    const exclude = (resultSeq: number, isExcluded: boolean): NewEntry => {
      return { type: 'exclusion-changed', actor: engine, resultSeq, isExcluded }
    }
    const log = logOf('conversation_1', [
      conversationCreated('user_1'),
      runStarted('run_1', 'turn'),
      userMessageSent('run_1', 'input_1', 'One'),
      stepStarted('run_1', 'step_1', 'turn'),
      stepFinished('run_1', 'step_1', [toolCallBlock('c1', 'read'), toolCallBlock('c2', 'read')]),
      toolCallSettled('run_1', 'step_1', { callId: 'c1', name: 'read', outcome: 'ok' }),
      toolCallSettled('run_1', 'step_1', { callId: 'c2', name: 'read', outcome: 'ok' }),
      runFinished('run_1', 'completed'),
      exclude(6, true),
      ...[exclude(6, false), exclude(7, true), exclude(99, true)],
    ])
    const facts = requestFacts.reduce(requestFacts.initial, log)
    const onPath = log.filter(({ seq }) => seq <= 9)
    const entries = carryPath({ entries: onPath, facts, firstSeq: 3 }).map((entry, index) =>
      placeEntry(entry, { conversationId: 'conversation_2', seq: 3 + index, at: 9_000 }),
    )
    const settled = entries.filter(({ type }) => type === 'tool-call-settled').map(({ seq }) => seq)
    expect(exclusions.reduce(exclusions.initial, entries)).toEqual([settled[1]])
    expect(entries.filter(({ type }) => type === 'exclusion-changed')).toMatchObject([
      { resultSeq: settled[0], isExcluded: true },
      { resultSeq: settled[0], isExcluded: false },
      { resultSeq: settled[1], isExcluded: true },
    ])
  })

  it('[REQ4] says where thinking was unbound by what stays behind', () => {
    const instructed: NewEntry = { type: 'settings-changed', actor: engine, changes: { instructions: 'Be brief.' } }
    const entries = carried([...turn(1, 'One'), instructed, ...turn(2, 'Two')])
    const facts = requestFacts.reduce(requestFacts.initial, entries)
    const [first, second] = entries.filter(({ type }) => type === 'step-started')
    expect(first?.seq).toBeLessThanOrEqual(facts.unboundBeforeSeq)
    expect(second?.seq).toBeGreaterThan(facts.unboundBeforeSeq)
    expect(carried([instructed, ...turn(1, 'One')]).some(({ type }) => type === 'notice-raised')).toBe(false)
  })

  it('[LOG9] keeps tombstones, and says that thinking from before the erasure is unbound', () => {
    const stone: NewEntry = {
      type: 'body-erased',
      actor: engine,
      erasedType: 'user-message-sent',
      reason: 'asked for',
      of: { runId: 'run_1', inputId: 'input_1' },
      erasedAt: 1_000_000,
    }
    const [started, , ...rest] = turn(1, 'One')
    const entries = carried([...(started ? [started] : []), stone, ...rest])
    expect(entries[1]).toMatchObject({ type: 'body-erased', of: { inputId: 'input_1' } })
    const facts = requestFacts.reduce(requestFacts.initial, entries)
    const step = entries.find(({ type }) => type === 'step-started')
    expect(step?.seq).toBeLessThanOrEqual(facts.unboundBeforeSeq)
  })
})
