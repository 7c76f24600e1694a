import { ProviderErrorCode, type TranscriptCall, type TranscriptItem, transcript } from '@holdfast/conversation'
import {
  conversationCreated,
  logOf,
  stepFinished,
  textBlock,
  toolCallBlock,
  toolCallSettled,
} from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { answerPieces, callRows } from '../src/thread/answer/answer-pieces.ts'
import { failureWords } from '../src/thread/answer/failure-words.ts'
import { thoughtWords } from '../src/thread/answer/thought-words.ts'
import { objectOf, shortName, stateWords } from '../src/tools/call-words.ts'
import { cardState } from '../src/tools/card-state.ts'

type Outcome = NonNullable<TranscriptCall['outcome']>

function itemsWith(steps: readonly { readonly words: string; readonly outcomes: readonly Outcome[] }[]) {
  const entries = steps.flatMap(({ words, outcomes }, step) => {
    const calls = outcomes.map((outcome, index) => ({ callId: `call_${step}_${index}`, name: 'read_file', outcome }))
    const words_ = words === '' ? [] : [textBlock(words)]
    const stepId = `step_${step}`
    return [
      stepFinished('run_1', stepId, [...words_, ...calls.map(({ callId, name }) => toolCallBlock(callId, name))]),
      ...calls.map((call) => toolCallSettled('run_1', stepId, call)),
    ]
  })
  return transcript.reduce(transcript.initial, logOf('a', [conversationCreated('local'), ...entries])).items
}

function callsOf(items: readonly TranscriptItem[]): readonly TranscriptCall[] {
  return items.flatMap(({ toolCalls }) => toolCalls)
}

test('[PRJ4] calls of steps with no words between them stand together', () => {
  const items = itemsWith([
    { words: 'first', outcomes: ['ok'] },
    { words: '', outcomes: ['ok', 'error'] },
    { words: 'then', outcomes: ['ok'] },
  ])
  const shape = answerPieces(items).map((piece) => (piece.type === 'calls' ? piece.calls.length : piece.type))
  expect(shape).toEqual(['words', 3, 'words', 1])
})

test('[PRJ4] three calls in a row that went well are one line once the turn is over, others never', () => {
  const lengths = (outcomes: readonly Outcome[], isRunOpen: boolean) =>
    callRows(callsOf(itemsWith([{ words: '', outcomes }])), isRunOpen).map((row) => row.length)
  expect(lengths(['ok', 'ok', 'ok', 'error', 'ok', 'ok'], false)).toEqual([3, 1, 1, 1])
  expect(lengths(['ok', 'ok', 'ok'], true)).toEqual([1, 1, 1])
  expect(lengths(['denied', 'denied', 'denied', 'aborted'], false)).toEqual([1, 1, 1, 1])
})

test('[TOOL2] every state of a call has its own words', () => {
  const [settled] = callsOf(itemsWith([{ words: '', outcomes: ['ok'] }]))
  if (!settled) throw new Error('There is no call')
  const open: TranscriptCall = { ...settled, outcome: null, durationMs: null, state: 'pending' }
  expect(cardState(open, true)).toBe('pending')
  expect(cardState({ ...open, state: 'running' }, true)).toBe('running')
  expect(cardState({ ...open, state: 'waiting-for-permission' }, true)).toBe('waiting')
  expect(cardState({ ...open, complete: false }, true)).toBe('not-started')
  expect(cardState(open, false)).toBe('not-started')
  expect(cardState({ ...open, state: 'settled' }, false)).toBe('unknown')
  const outcomes: readonly Outcome[] = ['ok', 'error', 'denied', 'timed-out', 'aborted', 'not-started', 'unknown']
  const words = outcomes.map((outcome) =>
    stateWords(cardState({ ...settled, outcome }, false), { ...settled, durationMs: 3_140 }, 0),
  )
  expect(words).toEqual([
    '3.1 s',
    'failed · 3.1 s',
    'denied',
    'timed out after 3.1 s',
    'aborted after 3.1 s',
    'not started',
    'outcome unknown',
  ])
})

test('[UI19] thinking says how long it took, and how much it was, as far as that is known', () => {
  expect(thoughtWords(null, null)).toBe('Thought')
  expect(thoughtWords(120, null)).toBe('Thought · 120 tokens')
  expect(thoughtWords(null, 6_040)).toBe('Thought for 6.0 s')
  expect(thoughtWords(120, 61_000)).toBe('Thought for 1:01 · 120 tokens')
  expect(thoughtWords(0, 0)).toBe('Thought')
})

test('[TOOL14] a card that timed out says how long it ran and what its limit was', () => {
  const [settled] = callsOf(itemsWith([{ words: '', outcomes: ['timed-out'] }]))
  if (!settled) throw new Error('There is no call')
  const words = (limitMs: number) => stateWords('timed-out', { ...settled, durationMs: 2_004, limitMs }, 0)
  expect(words(2_000)).toBe('timed out after 2.0 s (limit 2 s)')
  expect(words(1_500)).toBe('timed out after 2.0 s (limit 1.5 s)')
  expect(words(120_000)).toBe('timed out after 2.0 s (limit 2:00)')
})

test('[TOOL2] a card says what a call works on, and not where its tool comes from', () => {
  expect(objectOf({ limit: 5, path: 'src/a.ts' })).toBe('src/a.ts')
  expect(objectOf({ command: 'npm test\nnpm run lint' })).toBe('npm test')
  expect(objectOf([1, 2])).toBeNull()
  expect(shortName('mcp__github__create_issue')).toBe('create_issue')
})

test('[RUN9] each kind of failure says what it is and what to do', () => {
  const titles = ProviderErrorCode.options.map((code) => failureWords(code).title)
  expect(new Set(titles).size).toBe(10)
})
