import { transcript } from '@holdfast/conversation'
import { arbitraryLog } from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TranscriptAnswerItem, toTranscriptAnswer } from '../src/transcript-answer.ts'

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
    detail: {},
  } as const
  const inputs = [
    { inputText: '{"path":"a"}', complete: true },
    { inputText: '{"path":"a', complete: false },
    { inputText: '{"path', complete: true },
  ]
  const answer = toTranscriptAnswer({ ...item, toolCalls: inputs.map((input) => ({ ...call, ...input })) }, [])
  expect(answer.toolCalls.map(({ input }) => input)).toEqual([{ path: 'a' }, '{"path":"a', '{"path'])
})
