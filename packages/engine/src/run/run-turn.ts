import {
  isParked,
  type NewEntry,
  type OpenRun,
  type Overview,
  type Settings,
  settingsNow,
  type WaitingInput,
  waitUntil,
} from '@holdfast/conversation'
import type { ModelFacts } from '@holdfast/provider'
import type { Ending } from '../api/ending.ts'
import type { EnginePorts, ModelChoice } from '../api/ports.ts'
import { type CallJudge, createCallJudge } from '../calls/judge-open-calls.ts'
import { settleCalls } from '../calls/settle-calls.ts'
import { modelOf } from '../chosen/chosen-model.ts'
import { toolsChanged } from '../chosen/conversation-tools.ts'
import { settingsOfLog } from '../chosen/settings-in-force.ts'
import { endNow } from '../live/end-run.ts'
import { isLocked, nextInput } from '../live/next-input.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { judgeBudgets, usedUp } from '../request/budget.ts'
import { windowChanged } from '../request/learn-window.ts'
import { fittingRequest } from '../request/make-room.ts'
import { answerLimits } from '../request/model-settings.ts'
import { priceOf } from '../request/request-price.ts'
import { requestProblem } from '../request/request-problem.ts'
import { startStep } from '../request/start-step.ts'
import { takeStep } from '../request/take-step.ts'
import { finishStep } from './finish-step.ts'

/**
 * Works on one turn until it has its one end or waits for a person. [RUN1, RUN4]
 *
 * What throws is a lost store, a lost lease or a defect; recovery closes such a run.
 */
export async function runTurn(atWork: RunAtWork): Promise<void> {
  const { ports, log, runId, signal } = atWork
  let judge: CallJudge | null = null
  await begin(atWork)
  for (;;) {
    const state = log.overview()
    const settings = settingsOfLog(ports, state.settings)
    const act = nextAct(state, { runId, now: ports.clock.now(), aborted: signal.aborted, settings })
    const run = state.runState.exclusive
    if (!run) return
    switch (act.type) {
      case 'ask-model':
        await askModel(atWork, run)
        break
      case 'call-tools':
        judge ??= createCallJudge(atWork)
        await callTools(atWork, run, judge)
        break
      case 'wait':
        await waitUntil(ports.clock, act.until, signal)
        break
      case 'end':
        return endNow(atWork, act.ending)
      case 'park':
      case 'nothing':
        return
    }
  }
}

/** Settles calls; a row of calls that cannot be run ends the run, as no answer of a person could. [RUN8] */
async function callTools(atWork: RunAtWork, run: OpenRun, judge: CallJudge): Promise<void> {
  const comesBack = await settleCalls(atWork, run, judge)
  if (comesBack === null || atWork.signal.aborted) return
  return endNow(atWork, limitOf(`${comesBack}, and it cannot be run. Say so to go on.`))
}

/** Takes the input whose turn it is, with the tools as they are now, unless the run has begun and was parked. */
async function begin({ ports, log, runId, epoch }: RunAtWork): Promise<void> {
  await log.append({ epoch, command: null, dropDraft: null }, (state) => {
    const input = nextInput(state, ports.clock.now())
    if (!input) return []
    const { inputId, content, origin } = input
    const unattended = origin === 'schedule' ? { unattended: true as const } : {}
    return [
      { type: 'run-started', actor: ENGINE, runId, purpose: 'turn', ...unattended },
      { type: 'user-message-sent', actor: ENGINE, runId, inputId, content: [...content] },
      ...toolsChanged(ports, log.conversationId, state),
    ]
  })
}

/** What a run does next. */
type Act =
  | { readonly type: 'ask-model' }
  | { readonly type: 'call-tools' }
  /** A failed request is repeated then, in milliseconds since the Unix epoch. [RUN7] */
  | { readonly type: 'wait'; readonly until: number }
  /** Only a person can bring it on: nothing is held meanwhile. [RUN4] */
  | { readonly type: 'park' }
  | { readonly type: 'end'; readonly ending: Ending }
  /** The log has its end. */
  | { readonly type: 'nothing' }

/** What the next act depends on beside the log. */
interface Moment {
  readonly runId: string
  /** Milliseconds since the Unix epoch. */
  readonly now: number
  /** Whether this process has to let go of the run. */
  readonly aborted: boolean
  readonly settings: Pick<Settings, 'stepsPerRun' | 'callsPerStep'>
}

/**
 * What the run does next: a function of the log, so that a run that was parked goes on as if nothing had
 * happened, here or on another replica. A stop stands before everything. [STOP2, RUN4, RUN8]
 */
function nextAct(state: Overview, { runId, now, aborted, settings }: Moment): Act {
  const run = state.runState.exclusive
  if (run?.runId !== runId) return { type: 'nothing' }
  if (run.stopRequestedAt !== null) return { type: 'end', ending: { outcome: 'stopped' } }
  if (isParked(run)) return { type: 'park' }
  if (aborted) return { type: 'end', ending: { outcome: 'interrupted', reason: 'The server was shut down.' } }
  if (run.openCalls.length > 0) return { type: 'call-tools' }
  if (run.retryAt !== null && now < run.retryAt) return { type: 'wait', until: run.retryAt }
  const limit = limitReached(run, state, settings)
  return limit === null ? { type: 'ask-model' } : { type: 'end', ending: limit }
}

/** How the run ends where a limit keeps it from another step; null for none. [RUN8, COST7] */
function limitReached(run: OpenRun, state: Overview, { stepsPerRun, callsPerStep }: Moment['settings']): Ending | null {
  if (run.lastCallCount > callsPerStep)
    return limitOf(`One step made ${run.lastCallCount} calls; ${callsPerStep} are allowed. Say so to go on.`)
  if (run.stepCount >= stepsPerRun)
    return limitOf(`The run has taken ${run.stepCount} steps, as many as are allowed. Say so to go on.`)
  return usedUp(state)
}

function limitOf(reason: string): Ending {
  return { outcome: 'limit', reason }
}

/** Makes one step: what steers joins, the request is built from the log, asked, and its answer written down. */
async function askModel(atWork: RunAtWork, run: OpenRun): Promise<void> {
  const { ports, log, runId, epoch } = atWork
  const chosen = modelOf(ports.models(), log.overview())
  if (chosen.type === 'missing') return endNow(atWork, { outcome: 'failed', reason: chosen.reason })
  await prepare(atWork, run, chosen.choice)
  const fitting = await fittingRequest(atWork, run, chosen.choice)
  if (fitting.type === 'stopped') return
  if (fitting.type === 'end') return endNow(atWork, fitting.ending)
  const { request, model } = fitting.at
  const problem = requestProblem(request)
  if (problem !== null) {
    atWork.onFault(new Error(`The request of run ${runId} was not sent: ${problem}`))
    return endNow(atWork, { outcome: 'failed', reason: `Holdfast built a request that it does not send: ${problem}` })
  }
  const over = await judgeBudgets(atWork, priceOf(fitting.at, ports.clock.now()).now)
  if (over !== null) return endNow(atWork, over)
  const askedAt = ports.clock.now()
  const stepId = await startStep(atWork, 'turn', { ...fitting.at, notes: fitting.notes, beside: null })
  if (stepId === null) return
  const address = { conversationId: log.conversationId, runId, stepId, epoch }
  const result = await takeStep(atWork, { model, request, address })
  await finishStep(atWork, { stepId, at: fitting.at, askedAt, result })
}

/**
 * What must stand in the log before the request is built: what steers, unless the queue is held, and the definitions
 * of the tools, and a window that is another by now. [REQ1, STOP9, WIN8]
 */
async function prepare({ ports, log, runId, epoch }: RunAtWork, run: OpenRun, model: ModelChoice): Promise<void> {
  await log.append({ epoch, command: null, dropDraft: null }, (state) => {
    const now = ports.clock.now()
    const { inputs, held } = state.queue
    const steering = run.stepCount === 0 || held !== null ? [] : inputs.filter((input) => steers(input, now))
    const sent = steering.map(({ inputId, content }): NewEntry => {
      return { type: 'user-message-sent', actor: ENGINE, runId, inputId, content: [...content] }
    })
    // By the log as it is at this place: what a person changed just before holds.
    const definitions = toolsChanged(ports, log.conversationId, state)
    const window = windowChanged(log.requestState(), { runId, model })
    return [...definitions, ...window, ...sent, ...lessThanSet(ports, { state, run, facts: model.facts })]
  })
}

/** Code of the notice that says which settings the model does not reach. */
const SETTINGS_BOUNDED = 'settings-bounded'

/** Says once in a run what is less than was set: the model was chosen after it, or says so itself. [RUN13, WIN10] */
function lessThanSet(
  ports: EnginePorts,
  { state, run, facts }: { readonly state: Overview; readonly run: OpenRun; readonly facts: ModelFacts },
): NewEntry[] {
  if (run.stepCount > 0 || run.failedAttempts > 0 || run.thinkingOff) return []
  if (state.notices.some(({ code, runId }) => code === SETTINGS_BOUNDED && runId === run.runId)) return []
  const less = answerLimits(settingsNow(ports.settings), { own: state.settings, facts }).lessThanSet
  if (less.length === 0) return []
  const about = { code: SETTINGS_BOUNDED, severity: 'info', until: 'another model, or another setting' } as const
  return [{ type: 'notice-raised', actor: ENGINE, ...about, runId: run.runId, text: less.join(' ') }]
}

function steers(input: WaitingInput, now: number): boolean {
  return input.lane === 'steer' && !isLocked(input, now)
}
