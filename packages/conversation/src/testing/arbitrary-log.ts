import fc from 'fast-check'
import type { CanvasOperation } from '../canvas/canvas-operation.ts'
import type { Entry, NewEntry } from '../entry.ts'
import { entriesToErase, isErasable, tombstone } from '../erasure.ts'
import { noTotals } from '../ledger-totals.ts'
import { arbitraryOperation } from './arbitrary-canvas.ts'
import * as build from './entries.ts'

/** What may happen to a conversation, as a test draws it. Numbers pick among what exists by then. */
type Act =
  | { readonly act: 'turn'; readonly words: string; readonly calls: readonly Outcome[]; readonly cut: boolean }
  | { readonly act: 'queue' | 'hold' | 'release' | 'archive' | 'restore' | 'title-run'; readonly words: string }
  | {
      readonly act: 'rewind' | 'select' | 'remove' | 'move' | 'undo' | 'window' | 'pin' | 'exclude'
      readonly pick: number
    }
  | { readonly act: 'canvas'; readonly operations: readonly CanvasOperation[]; readonly byPerson: boolean }
  | { readonly act: 'title'; readonly words: string; readonly source: 'auto' | 'user' }
  | {
      readonly act:
        | 'permission'
        | 'question'
        | 'late'
        | 'fail'
        | 'notice'
        | 'checkpoint'
        | 'settings'
        | 'agent'
        | 'files'
      readonly words: string
    }

const OUTCOMES = ['ok', 'error', 'denied', 'timed-out', 'aborted', 'not-started', 'unknown'] as const
type Outcome = (typeof OUTCOMES)[number]

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('turn' as const),
      words,
      calls: fc.array(fc.constantFrom(...OUTCOMES), { maxLength: 3 }),
      cut: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom('queue', 'hold', 'release', 'archive', 'restore', 'title-run'),
      words,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom('rewind', 'select', 'remove', 'move', 'undo', 'window', 'pin', 'exclude'),
      pick: fc.nat(1_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('canvas' as const),
      operations: fc.array(arbitraryOperation, { minLength: 1, maxLength: 4 }),
      byPerson: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('title' as const), words, source: fc.constantFrom('auto', 'user') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom(
        ...(['permission', 'question', 'late', 'fail', 'notice', 'checkpoint', 'settings', 'agent', 'files'] as const),
      ),
      words,
    }),
  },
)

/** What could be written to a new log: every kind of act, also while a run is open, in any order. */
export const arbitraryEntries: fc.Arbitrary<NewEntry[]> = fc.array(act, { maxLength: 30 }).map(writeActs)

/** Logs that could have been written, here and there with erased entries. */
export const arbitraryLog: fc.Arbitrary<Entry[]> = fc
  .tuple(arbitraryEntries, fc.array(fc.nat(1_000), { maxLength: 3 }))
  .map(([entries, picks]) => withErased(build.logOf('conversation_1', entries), picks))

function withErased(log: Entry[], picks: readonly number[]): Entry[] {
  const seqs = picks
    .map((pick) => (pick % log.length) + 1)
    .filter((seq) => log.some((entry) => entry.seq === seq && isErasable(entry)))
  const erased = new Set(entriesToErase(log, seqs))
  return log.map((entry) => (erased.has(entry) ? tombstone(entry, { reason: 'asked for', at: 9_000 }) : entry))
}

function writeActs(acts: readonly Act[]): NewEntry[] {
  const log: NewEntry[] = [build.conversationCreated('user_1')]
  acts.forEach((drawn, number) => {
    log.push(...entriesOf(drawn, number, log.length))
  })
  return log
}

/** `head` is the `seq` of the log's last entry when the act happens. */
function entriesOf(drawn: Act, number: number, head: number): NewEntry[] {
  const runId = `run_${number}`
  const stepId = `step_${number}`
  const engine = { type: 'engine' } as const
  switch (drawn.act) {
    case 'turn':
      return turnOf(drawn, number)
    case 'queue':
      return [build.inputAdmitted(`input_${number}`, drawn.words)]
    case 'hold':
      return [{ type: 'queue-held', actor: engine, reason: 'stopped' }]
    case 'release':
      return [{ type: 'queue-released', actor: engine }]
    case 'archive':
      return [{ type: 'conversation-archived', actor: engine, reason: 'person', totals: noTotals }]
    case 'restore':
      return [{ type: 'conversation-restored', actor: engine }]
    case 'title-run':
      return [
        build.runStarted(runId, 'title'),
        build.stepStarted(runId, stepId, 'title'),
        build.stepFinished(runId, stepId, [build.textBlock(drawn.words)]),
        build.titleChanged(drawn.words, 'auto'),
        build.runFinished(runId, 'completed'),
      ]
    case 'rewind':
      return [build.pathRewound(drawn.pick % (head + 1))]
    case 'select':
      return [{ type: 'path-selected', actor: engine, headSeq: drawn.pick % (head + 1) }]
    case 'remove':
      return [{ type: 'input-removed', actor: engine, inputId: `input_${drawn.pick % (number + 1)}` }]
    case 'move':
      return [
        {
          type: 'input-changed',
          actor: engine,
          inputId: `input_${drawn.pick % (number + 1)}`,
          position: drawn.pick % 3,
        },
      ]
    case 'undo':
      return [{ type: 'checkpoint-undone', actor: engine, checkpointSeq: (drawn.pick % head) + 1 }]
    case 'window':
      return [{ type: 'window-moved', actor: engine, startSeq: (drawn.pick % head) + 1, leftOutCount: drawn.pick % 5 }]
    case 'pin':
      return [
        {
          type: 'pin-changed',
          actor: engine,
          messageSeq: (drawn.pick % head) + 1,
          isPinned: drawn.pick % 3 > 0,
        },
      ]
    case 'exclude':
      return [
        {
          type: 'exclusion-changed',
          actor: engine,
          resultSeq: (drawn.pick % head) + 1,
          isExcluded: drawn.pick % 3 > 0,
        },
      ]
    case 'canvas':
      return [
        {
          type: 'canvas-changed',
          actor: drawn.byPerson ? { type: 'person', userId: 'user_1' } : engine,
          agentId: number % 3 === 0 ? 'agent_2' : 'default',
          operations: [...drawn.operations],
          version: number + 1,
        },
      ]
    case 'title':
      return [build.titleChanged(drawn.words, drawn.source)]
    case 'permission':
      return permissionOf(drawn.words, runId, stepId)
    case 'question':
      return questionOf(drawn.words, runId, stepId)
    case 'late':
      return [
        {
          type: 'tool-result-late',
          actor: engine,
          runId: 'run_0',
          stepId: 'step_0',
          callId: 'call_0_0',
          name: 'tool_0',
          content: [{ type: 'text', text: drawn.words }],
          durationMs: 5,
        },
      ]
    case 'fail':
      return [
        build.runStarted(runId, 'turn'),
        build.stepStarted(runId, stepId, 'turn'),
        {
          type: 'step-failed',
          actor: engine,
          runId,
          stepId,
          error: { code: 'overloaded', message: drawn.words, status: 529 },
          attempt: 1,
          retryAt: 5_000,
        },
        { type: 'stop-requested', actor: engine, runId, mode: 'stop' },
        build.runFinished(runId, 'stopped'),
      ]
    case 'notice':
      return [{ type: 'notice-raised', actor: engine, code: 'no-sandbox', severity: 'warning', text: drawn.words }]
    case 'checkpoint':
      return [
        {
          type: 'checkpoint-made',
          actor: engine,
          source: 'auto',
          coversFromSeq: 1,
          coversToSeq: head,
          keptFromSeq: head + 1,
          summary: drawn.words,
          verbatimSeqs: [],
        },
      ]
    case 'agent':
      return [{ type: 'agent-switched', actor: engine, agentId: `agent_${number}`, agentName: drawn.words }]
    case 'files':
      return [
        {
          type: 'files-changed',
          actor: { type: 'person', userId: 'user_1' },
          restores: { type: 'since', seq: head },
          conflicts: [{ path: drawn.words, reason: 'It was changed since' }],
          changes: [{ path: `new/${drawn.words}`, kind: 'created' }],
        },
      ]
    case 'settings':
      return [{ type: 'settings-changed', actor: engine, changes: { instructions: drawn.words, modelId: null } }]
  }
}

function turnOf(turn: Extract<Act, { act: 'turn' }>, number: number): NewEntry[] {
  const runId = `run_${number}`
  const stepId = `step_${number}`
  const calls = turn.calls.map((outcome, index) => ({
    callId: `call_${number}_${index}`,
    name: `tool_${index}`,
    outcome,
  }))
  const blocks = [build.textBlock(turn.words), ...calls.map(({ callId, name }) => build.toolCallBlock(callId, name))]
  const log: NewEntry[] = [
    build.inputAdmitted(`input_${number}`, turn.words),
    build.runStarted(runId, 'turn'),
    build.userMessageSent(runId, `input_${number}`, turn.words),
    build.stepStarted(runId, stepId, 'turn'),
    build.stepFinished(runId, stepId, blocks),
    ...calls
      .filter(({ outcome }) => outcome !== 'denied' && outcome !== 'not-started')
      .map(({ callId, name }) => build.toolCallStarted(runId, stepId, { callId, name })),
    build.usageRecorded(runId, stepId, { input: turn.words.length, output: 3 }),
    ...calls.map((call) => build.toolCallSettled(runId, stepId, call)),
  ]
  return turn.cut ? log : [...log, build.runFinished(runId, 'completed')]
}

function permissionOf(text: string, runId: string, stepId: string): NewEntry[] {
  const engine = { type: 'engine' } as const
  const requestId = `permission_${runId}`
  const asked: NewEntry[] = [
    build.runStarted(runId, 'turn'),
    build.stepFinished(runId, stepId, [build.toolCallBlock(`call_${runId}`, 'shell')]),
    {
      type: 'permission-requested',
      actor: engine,
      runId,
      stepId,
      requestId,
      userId: 'user_1',
      callId: `call_${runId}`,
      tool: 'shell',
      input: { command: text },
      reason: text,
      source: 'default-policy',
    },
  ]
  if (text.length % 2 === 0) return asked
  return [
    ...asked,
    { type: 'permission-settled', actor: engine, requestId, outcome: 'allowed', by: 'person', scope: 'call' },
  ]
}

function questionOf(text: string, runId: string, stepId: string): NewEntry[] {
  const engine = { type: 'engine' } as const
  const questionId = `question_${runId}`
  const callId = `call_${runId}`
  const asked: NewEntry[] = [
    build.runStarted(runId, 'turn'),
    build.stepFinished(runId, stepId, [build.toolCallBlock(callId, 'paint')]),
    build.toolCallStarted(runId, stepId, { callId, name: 'paint' }),
    {
      type: 'question-asked',
      actor: engine,
      runId,
      stepId,
      questionId,
      userId: 'user_1',
      callId,
      tool: 'paint',
      source: 'paint',
      message: text,
      wish: { type: 'form', fields: [] },
    },
  ]
  if (text.length % 3 === 0) return asked
  if (text.length % 3 === 1) return [...asked, build.runFinished(runId, 'interrupted')]
  return [
    ...asked,
    { type: 'question-settled', actor: engine, questionId, outcome: 'accepted', by: 'person', content: { text } },
  ]
}
