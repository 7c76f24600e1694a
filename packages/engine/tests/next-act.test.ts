import {
  type OpenCall,
  type OpenRun,
  type Overview,
  overview,
  settingsOver,
  USUAL_SETTINGS,
} from '@holdfast/conversation'
import { expect, it } from 'vitest'
import { nextAct } from '../src/run/next-act.ts'

const runId = 'run_1'
const now = 1_000

const OPEN: OpenRun = {
  runId,
  purpose: 'turn',
  phase: 'starting',
  startedAt: 0,
  unattended: false,
  schedule: null,
  costUsd: 0,
  openStep: null,
  lentSteps: [],
  openCalls: [],
  isHandedBack: false,
  openRequestIds: [],
  stepCount: 0,
  lastCallCount: 0,
  failedAttempts: 0,
  retryAt: null,
  tooLongCount: 0,
  thinkingOff: false,
  stopRequestedAt: null,
  stoppedBy: null,
  forced: false,
}

const CALL: OpenCall = {
  callId: 'call_1',
  stepId: 'step_1',
  name: 'read',
  stepSeq: 4,
  started: false,
  childConversationId: null,
  effects: false,
  request: null,
  handedOverAt: null,
}
const ANSWER = { outcome: 'allowed', by: 'person', reason: null } as const
const ASKED: OpenCall = { ...CALL, request: { requestId: 'request_1', answer: null } }
const ANSWERED: OpenCall = { ...CALL, request: { requestId: 'request_1', answer: ANSWER } }

/** A log whose run stands as said, with the settings of its conversation. */
function stateOf(run: Partial<OpenRun>, settings: Overview['settings']): Overview {
  const runState = { ...overview.initial.runState, exclusive: { ...OPEN, ...run } }
  return { ...overview.initial, runState, settings }
}

/** At most two steps, of at most three calls. */
const ports = { settings: () => settingsOver(USUAL_SETTINGS, { stepsPerRun: 2, callsPerStep: 3 }) }
const here = { runId, now, aborted: false, ports }
const lettingGo = { runId, now, aborted: true, ports }

const ASK = { type: 'ask-model' }
const CALL_TOOLS = { type: 'call-tools' }
const PARK = { type: 'park' }
const STOPPED = { type: 'end', ending: { outcome: 'stopped' } }
const INTERRUPTED = { type: 'end', ending: { outcome: 'interrupted', reason: 'The server was shut down.' } }

function limit(reason: string) {
  return { type: 'end', ending: { outcome: 'limit', reason: `${reason} Say so to go on.` } }
}
const STEPS = limit('The run has taken 2 steps, as many as are allowed.')
const CALLS = limit('One step made 4 calls; 3 are allowed.')

it.each([
  ['a run that has begun', {}, ASK],
  ['open calls', { openCalls: [CALL] }, CALL_TOOLS],
  ['a call that nobody has answered for', { openCalls: [ASKED] }, PARK],
  ['a call that was answered for', { openCalls: [ANSWERED] }, CALL_TOOLS],
  ['a call that runs before one that is asked about', { openCalls: [CALL, ASKED] }, CALL_TOOLS],
  ['a last allowed step whose calls are open', { openCalls: [CALL], stepCount: 2 }, CALL_TOOLS],
])('[RUN4] says by the log alone how a run goes on, with %s', (_, run, act) => {
  expect(nextAct(stateOf(run, {}), here)).toEqual(act)
})

it.each([
  ['before its time', { retryAt: now + 1 }, { type: 'wait', until: now + 1 }],
  ['at its time', { retryAt: now }, ASK],
  ['with its calls open', { retryAt: now + 1, openCalls: [CALL] }, CALL_TOOLS],
])('[RUN7] waits for a request to be repeated and no longer, %s', (_, run, act) => {
  expect(nextAct(stateOf(run, {}), here)).toEqual(act)
})

it.each([
  ['steps below', { stepCount: 1 }, ASK],
  ['steps at their limit', { stepCount: 2 }, STEPS],
  ['calls at their limit', { stepCount: 1, lastCallCount: 3 }, ASK],
  ['calls above', { stepCount: 1, lastCallCount: 4 }, CALLS],
  ['both, of which calls are said', { stepCount: 2, lastCallCount: 4 }, CALLS],
  ['steps at their limit, before a wait is over', { stepCount: 2, retryAt: now + 1 }, { type: 'wait', until: now + 1 }],
])('[RUN8] ends a run at its limit, with %s', (_, run, act) => {
  expect(nextAct(stateOf(run, {}), here)).toEqual(act)
})

it('[RUN8] ends a run at the limit of its conversation, which stands above that of the installation', () => {
  const state = stateOf({ stepCount: 2 }, { stepsPerRun: 3 })
  expect(nextAct(state, here)).toEqual(ASK)
})

it('[COST7] ends a run whose budget is used up', () => {
  const state = stateOf({ stepCount: 1 }, { budgetUsd: 0 })
  const reason = 'The budget of $0.00 is used up ($0.00). Raise it to go on.'
  expect(nextAct(state, here)).toEqual({ type: 'end', ending: { outcome: 'limit', reason, limit: 'budget' } })
})

it.each([
  ['open calls', { openCalls: [CALL] }],
  ['a call that nobody has answered for', { openCalls: [ASKED] }],
  ['a wait', { retryAt: now + 1 }],
  ['a limit', { stepCount: 2 }],
])('[STOP2] ends a stopped run as stopped whatever it was at: %s', (_, run) => {
  const state = stateOf({ ...run, stopRequestedAt: 5 }, {})
  expect(nextAct(state, here)).toEqual(STOPPED)
  expect(nextAct(state, lettingGo)).toEqual(STOPPED)
})

it.each([
  ['a run that has begun', {}, INTERRUPTED],
  ['open calls', { openCalls: [CALL] }, INTERRUPTED],
  ['a wait', { retryAt: now + 1 }, INTERRUPTED],
  ['a call that nobody has answered for, which outlives the process', { openCalls: [ASKED] }, PARK],
])('[RUN4] lets go of a run where the process must, with %s', (_, run, act) => {
  expect(nextAct(stateOf(run, {}), lettingGo)).toEqual(act)
})

it('[RUN1] does nothing for a run that has its end, whatever runs now', () => {
  expect(nextAct(overview.initial, here)).toEqual({ type: 'nothing' })
  expect(nextAct(stateOf({ runId: 'run_2', stopRequestedAt: 5 }, {}), here)).toEqual({ type: 'nothing' })
})
