import { type NewEntry, noTotals, transcript } from '@holdfast/conversation'
import {
  arbitraryLog,
  checkpointMade,
  conversationCreated,
  logOf,
  pathRewound,
  titleChanged,
  wholeTurn,
} from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TranscriptAnswerItem, toTranscriptAnswer } from '../src/answers/transcript-answer.ts'

test('[REQ3] what is never sent to a model is marked so, and nothing else', () => {
  fc.assert(
    fc.property(arbitraryLog, (entries) => {
      for (const item of transcript.reduce(transcript.initial, entries).items) {
        const answer = TranscriptAnswerItem.parse(toTranscriptAnswer(item, []))
        expect(answer).toEqual(toTranscriptAnswer(item, []))
        expect(answer.notSent ?? false).toBe(!['user', 'assistant', 'summary'].includes(item.role))
      }
    }),
    { numRuns: 50 },
  )
})

const person = { type: 'person', userId: 'user_1' } as const
const engine = { type: 'engine' } as const

/** What the HTTP transcript says of the last item of a conversation that holds these entries. */
function lastAnswer(...entries: readonly NewEntry[]): TranscriptAnswerItem {
  const log = logOf('c', [conversationCreated('user_1'), ...wholeTurn(1, { asked: 'q', answered: 'a' }), ...entries])
  const item = transcript.reduce(transcript.initial, log).items.at(-1)
  if (!item) throw new Error('The log has no item')
  return TranscriptAnswerItem.parse(toTranscriptAnswer(item, []))
}

test('[PRJ7] the answer says of each item its code and the facts of that', () => {
  const error = { code: 'overloaded', message: 'Too busy', status: 529 } as const
  const failed = { type: 'step-failed', actor: engine, runId: 'run_2', stepId: 'step_2', error, attempt: 2 } as const
  expect(lastAnswer({ type: 'checkpoint-undone', actor: person, checkpointSeq: 4 })).toMatchObject({
    role: 'notice',
    code: 'checkpoint-undone',
    checkpointSeq: 4,
  })
  expect(lastAnswer({ type: 'window-moved', actor: engine, startSeq: 5, leftOutCount: 3 })).toMatchObject({
    role: 'notice',
    code: 'window-moved',
    startSeq: 5,
    leftOutCount: 3,
  })
  expect(
    lastAnswer({ type: 'agent-switched', actor: person, agentId: 'agent_1', agentName: 'Ada', avatar: 'A' }),
  ).toMatchObject({ role: 'notice', code: 'agent-switched', agentId: 'agent_1', agentName: 'Ada', avatar: 'A' })
  expect(
    lastAnswer({ type: 'notice-raised', actor: engine, code: 'no-sandbox', severity: 'warning', text: 'No sandbox' }),
  ).toMatchObject({ role: 'notice', code: 'notice-raised', raised: { code: 'no-sandbox', severity: 'warning' } })
  expect(lastAnswer({ ...failed, retryAt: 5_000 })).toMatchObject({
    role: 'error',
    code: 'overloaded',
    attempt: 2,
    retryAt: 5_000,
  })
  expect(lastAnswer(failed)).toMatchObject({ role: 'error', code: 'overloaded', attempt: 2, retryAt: null })
  expect(lastAnswer(checkpointMade({ fromSeq: 1, toSeq: 4 }, 'They greeted'))).toMatchObject({
    role: 'summary',
    coversFromSeq: 1,
    coversToSeq: 4,
    keptFromSeq: 5,
  })
  expect(lastAnswer(titleChanged('Greetings', 'user'))).toMatchObject({ role: 'title', source: 'user' })
  expect(lastAnswer(pathRewound(0))).toMatchObject({
    code: 'path-rewound',
    accounting: { reason: 'rewind', setAsideCount: 1, totals: noTotals },
  })
})

test('[PRJ7] no entry of any log becomes an item that the answer cannot say', () => {
  fc.assert(
    fc.property(arbitraryLog, (entries) => {
      for (const entry of entries) {
        for (const item of transcript.reduce(transcript.initial, [entry]).items) {
          const { runId: _runId, stepId: _stepId, toolCalls: _toolCalls, usage: _usage, ...said } = item
          expect(TranscriptAnswerItem.parse(toTranscriptAnswer(item, []))).toMatchObject(said)
        }
      }
    }),
    { numRuns: 100 },
  )
})

test('[RUN10] tool input that is not whole JSON is shown as it came', () => {
  const call = {
    callId: 'call_1',
    name: 'read_file',
    state: 'pending',
    outcome: null,
    output: [],
    blob: null,
    resultSeq: null,
    startedAt: null,
    durationMs: null,
    childConversationId: null,
    permission: null,
    late: null,
  } as const
  const item = {
    seq: 1,
    at: 1,
    role: 'assistant',
    state: 'stopped',
    runId: 'run_1',
    stepId: 'step_1',
    parts: [],
    usage: null,
    finish: 'cut',
  } as const
  const inputs = [
    { inputText: '{"path":"a"}', complete: true },
    { inputText: '{"path":"a', complete: false },
    { inputText: '{"path', complete: true },
  ]
  const answer = toTranscriptAnswer({ ...item, toolCalls: inputs.map((input) => ({ ...call, ...input })) }, [])
  expect(answer.toolCalls.map(({ input }) => input)).toEqual([{ path: 'a' }, '{"path":"a', '{"path'])
})
