import { type NewEntry, runState } from '@holdfast/conversation'
import {
  arbitraryLog,
  conversationCreated,
  logOf,
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  toolCallBlock,
  toolCallSettled,
  toolCallStarted,
} from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const engine = { type: 'engine' } as const
const call = { callId: 'call_1', name: 'shell' }

function stateAfter(entries: readonly NewEntry[]) {
  return runState.reduce(runState.initial, logOf('a', [conversationCreated('user_1'), ...entries]))
}

const asked: NewEntry = {
  type: 'permission-requested',
  actor: engine,
  runId: 'run_1',
  stepId: 'step_1',
  requestId: 'permission_1',
  userId: 'user_1',
  callId: 'call_1',
  tool: 'shell',
  input: {},
  reason: 'It writes',
  source: 'default-policy',
}
const answered: NewEntry = {
  type: 'permission-settled',
  actor: engine,
  requestId: 'permission_1',
  outcome: 'allowed',
  by: 'person',
}
const failed: NewEntry = {
  type: 'step-failed',
  actor: engine,
  runId: 'run_1',
  stepId: 'step_1',
  error: { code: 'overloaded', message: 'Too busy' },
  attempt: 1,
  retryAt: 5_000,
}

describe('the run state', () => {
  it('[RUN2] goes through the phases of a run, the most urgent first', () => {
    const steps: readonly (readonly [NewEntry, string])[] = [
      [runStarted('run_1', 'turn'), 'starting'],
      [stepStarted('run_1', 'step_1', 'turn'), 'streaming'],
      [failed, 'waiting-to-retry'],
      [stepStarted('run_1', 'step_1', 'turn'), 'streaming'],
      [stepFinished('run_1', 'step_1', [toolCallBlock('call_1', 'shell')]), 'running-tools'],
      [asked, 'waiting-for-permission'],
      [answered, 'running-tools'],
      [toolCallStarted('run_1', 'step_1', call), 'running-tools'],
      [toolCallSettled('run_1', 'step_1', { ...call, outcome: 'ok' }), 'starting'],
      [stepStarted('run_1', 'step_2', 'turn'), 'streaming'],
      [{ type: 'stop-requested', actor: engine, runId: 'run_1', mode: 'stop' }, 'stopping'],
      [stepFinished('run_1', 'step_2', [textBlock('Hal')]), 'stopping'],
    ]
    steps.forEach(([, phase], index) => {
      const state = stateAfter(steps.slice(0, index + 1).map(([entry]) => entry))
      expect(state.exclusive?.phase, `after ${index + 1} entries`).toBe(phase)
    })
    const ended = stateAfter([...steps.map(([entry]) => entry), runFinished('run_1', 'stopped')])
    expect(ended).toEqual({
      exclusive: null,
      side: [],
      lastTurn: { runId: 'run_1', outcome: 'stopped', reason: null },
      titles: { failedCount: 0, isStopped: false },
    })
  })

  it('[RUN2] keeps a title beside the turn', () => {
    const state = stateAfter([runStarted('run_1', 'turn'), runStarted('run_2', 'title')])
    expect(state).toMatchObject({ exclusive: { runId: 'run_1' }, side: [{ runId: 'run_2' }] })
    const failed = stateAfter([runStarted('run_2', 'title'), runFinished('run_2', 'failed')])
    expect(failed).toEqual({ ...runState.initial, titles: { failedCount: 1, isStopped: false } })
  })

  it('[RUN1] is not changed by entries of a run that is not open', () => {
    const open = [runStarted('run_1', 'turn'), stepStarted('run_1', 'step_1', 'turn')]
    const strangers = [
      runFinished('run_0', 'completed'),
      stepFinished('run_0', 'step_0', [toolCallBlock('call_0', 'shell')]),
      toolCallSettled('run_0', 'step_0', { callId: 'call_0', name: 'shell', outcome: 'ok' }),
    ]
    expect(stateAfter([...open, ...strangers])).toEqual(stateAfter(open))
  })

  it('[LOG9] closes what an erased entry had closed', () => {
    const erased = (erasedType: string, of: object): NewEntry => ({
      type: 'body-erased',
      actor: engine,
      erasedType,
      of,
      reason: 'asked for',
      erasedAt: 9_000,
    })
    const open = [
      runStarted('run_1', 'turn'),
      stepStarted('run_1', 'step_1', 'turn'),
      stepFinished('run_1', 'step_1', [toolCallBlock('call_1', 'shell')]),
      asked,
    ]
    const settled = stateAfter([
      ...open,
      erased('permission-settled', { requestId: 'permission_1' }),
      erased('tool-call-settled', { runId: 'run_1', stepId: 'step_1', callId: 'call_1' }),
    ])
    expect(settled.exclusive).toMatchObject({ phase: 'starting', openCalls: [], openRequestIds: [] })
    const finished = stateAfter([...open.slice(0, 2), erased('step-finished', { runId: 'run_1', stepId: 'step_1' })])
    expect(finished.exclusive).toMatchObject({ phase: 'starting', openStep: null })
  })

  it('[RUN2] has at most one exclusive run and every other beside it, in any log', () => {
    fc.assert(
      fc.property(arbitraryLog, (log) => {
        const { exclusive, side } = runState.reduce(runState.initial, log)
        expect(side.every(({ purpose }) => purpose === 'title')).toBe(true)
        if (exclusive) expect(exclusive.purpose).not.toBe('title')
      }),
    )
  })
})
