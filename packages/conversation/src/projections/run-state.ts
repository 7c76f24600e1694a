import type { Scheduled } from '../entries/scheduled.ts'
import type { Entry, EntryOf } from '../entry.ts'
import type { Projection } from '../projection.ts'

/** What a run is doing. */
export type RunPhase =
  | 'starting'
  | 'streaming'
  | 'running-tools'
  | 'waiting-for-permission'
  | 'waiting-to-retry'
  | 'stopping'

/** A tool call that has no outcome yet. */
export interface OpenCall {
  readonly callId: string
  readonly stepId: string
  readonly name: string
  /** `seq` of the step that made it: there stands its input. */
  readonly stepSeq: number
  readonly started: boolean
  /** The conversation of the sub-agent that it runs; null for any other call. [AGENT3] */
  readonly childConversationId: string | null
  /** Whether it may have changed something outside; known once it started. */
  readonly effects: boolean
  /** What a person was asked about it, or null when nobody was. */
  readonly request: AskedPermission | null
  /** When it was handed to the client that runs it, in milliseconds since the Unix epoch; null for any other. [TOOL18] */
  readonly handedOverAt: number | null
}

/** A request for permission and its answer, once there is one. */
export interface AskedPermission {
  readonly requestId: string
  readonly answer: {
    readonly outcome: EntryOf<'permission-settled'>['outcome']
    readonly by: EntryOf<'permission-settled'>['by']
    readonly reason: string | null
  } | null
}

/** A request whose answer is awaited or streaming. */
export interface OpenStep {
  readonly stepId: string
  readonly providerId: string
  readonly modelId: string
  readonly purpose: EntryOf<'step-started'>['purpose']
  /** 0 where nothing was estimated. */
  readonly estimatedInputTokens: number
}

/** A run that has not ended. */
export interface OpenRun {
  readonly runId: string
  readonly purpose: EntryOf<'run-started'>['purpose']
  readonly phase: RunPhase
  readonly startedAt: number
  /** Nobody is there to be asked. [PERM6] */
  readonly unattended: boolean
  /** The occurrence of a schedule that it answers; null for any other run. */
  readonly schedule: Scheduled | null
  /** What its requests and those of its sub-agents have cost, where that is known, in US dollars. */
  readonly costUsd: number
  /** The step whose answer is awaited or streaming. */
  readonly openStep: OpenStep | null
  /** Requests that its calls were lent the model for or that were passed on, and that nothing is recorded of yet. [COST9] */
  readonly lentSteps: readonly OpenStep[]
  /** Calls of finished steps that have not settled, in their order. */
  readonly openCalls: readonly OpenCall[]
  /** Whether a client has answered a call since the last request: whoever takes the run goes on with it. [TOOL18] */
  readonly isHandedBack: boolean
  /** Requests for permission that nobody has answered. */
  readonly openRequestIds: readonly string[]
  /** Steps that ended with an answer. */
  readonly stepCount: number
  /** Calls that the last finished step made. */
  readonly lastCallCount: number
  /** Requests in a row that failed. */
  readonly failedAttempts: number
  readonly retryAt: number | null
  /** Requests in a row that the provider found too long. [CHK8] */
  readonly tooLongCount: number
  /** No model is asked to think, because a provider refused it in the middle of this run's calls. [RUN13] */
  readonly thinkingOff: boolean
  /** When it was first asked to stop, in milliseconds since the Unix epoch; null until then. */
  readonly stopRequestedAt: number | null
  /** Who asked first: its person, whoever disabled their account, or the recovery of its caller; null until then. [AGENT77] */
  readonly stoppedBy: Entry['actor'] | null
  /** Asked again, and no longer waiting for its source. [STOP10] */
  readonly forced: boolean
}

/** What runs, and how the last turn ended. */
export interface RunState {
  /** The one exclusive run: a turn or a checkpoint on request. [RUN2] */
  readonly exclusive: OpenRun | null
  /** Runs beside it, such as a title. */
  readonly side: readonly OpenRun[]
  readonly lastTurn: {
    readonly runId: string
    readonly outcome: EntryOf<'run-finished'>['outcome']
    readonly reason: string | null
  } | null
  /** Titles of which nothing came, one after the other, and whether a person stopped one. */
  readonly titles: { readonly failedCount: number; readonly isStopped: boolean }
}

/** The code of the notice that says that thinking is off: for a model that it names, else for the rest of a run. [RUN13] */
export const THINKING_OFF = 'thinking-off'

/** What runs now. Entries of a run that is not open change nothing. [RUN1] */
export const runState: Projection<RunState> = {
  name: 'run-state',
  version: 7,
  initial: { exclusive: null, side: [], lastTurn: null, titles: { failedCount: 0, isStopped: false } },
  reduce(state, entries) {
    let next = state
    for (const entry of entries) next = reduceOne(next, entry)
    return next
  },
}

/** Whether a run goes on only when a person has answered about its next call, or its client has run that: it is parked. [RUN4, TOOL18] */
export function isParked(run: OpenRun): boolean {
  return waitsForPerson(run) || (run.openCalls[0]?.handedOverAt != null && run.stopRequestedAt === null)
}

/** Whether a run goes on only when a person has answered about its next call. */
export function waitsForPerson(run: OpenRun): boolean {
  const request = run.openCalls[0]?.request
  return request != null && request.answer === null && run.stopRequestedAt === null
}

/** Whether a run of this purpose keeps others of its kind out. [RUN2] */
export function isExclusive(purpose: OpenRun['purpose']): boolean {
  return purpose !== 'title'
}

/** Whether a request is made by what a run works with, and not by the run itself. [TOOL13, AGENT8] */
export function isLent(purpose: OpenStep['purpose']): boolean {
  return purpose === 'sampling' || purpose === 'gateway'
}

function reduceOne(state: RunState, entry: Entry): RunState {
  switch (entry.type) {
    case 'run-started':
      return withRun(state, {
        runId: entry.runId,
        purpose: entry.purpose,
        phase: 'starting',
        startedAt: entry.at,
        unattended: entry.unattended === true,
        schedule: entry.schedule ?? null,
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
      })
    case 'step-started':
      return update(state, entry.runId, (run) => startedStep(run, stepOf(entry)))
    case 'usage-recorded':
      return entry.runId === undefined ? state : update(state, entry.runId, (run) => withUsage(run, entry))
    case 'step-finished':
      return update(state, entry.runId, (run) => finishedStep(run, entry))
    case 'step-failed':
      return update(state, entry.runId, (run) => failedStep(run, entry))
    case 'notice-raised':
      if (entry.code !== THINKING_OFF || entry.model !== undefined || entry.runId === undefined) return state
      return update(state, entry.runId, (run) => ({ ...run, thinkingOff: true }))
    case 'tool-call-started':
      return update(state, entry.runId, (run) => ({
        ...run,
        openCalls: run.openCalls.map((call) => startedCall(call, entry)),
      }))
    case 'tool-call-settled':
      return update(state, entry.runId, (run) => withoutCall(run, entry))
    case 'permission-requested':
      return update(state, entry.runId, (run) => ({
        ...run,
        openRequestIds: [...run.openRequestIds, entry.requestId],
        openCalls: run.openCalls.map((call) => askedCall(call, entry)),
      }))
    case 'permission-settled':
      return updateAll(state, (run) => answered(run, entry))
    case 'body-erased':
      return reduceErased(state, entry)
    case 'stop-requested':
      return update(state, entry.runId, (run) => ({
        ...run,
        stopRequestedAt: run.stopRequestedAt ?? entry.at,
        stoppedBy: run.stoppedBy ?? entry.actor,
        forced: run.forced || entry.mode === 'force',
      }))
    case 'run-finished':
      return finished(state, entry)
    default:
      return state
  }
}

/** What a call is lent, or an external agent asks, stands beside the run's own requests. */
function startedStep(run: OpenRun, step: OpenStep): OpenRun {
  if (isLent(step.purpose)) return { ...run, lentSteps: [...run.lentSteps, step] }
  return { ...run, openStep: step, retryAt: null, isHandedBack: false }
}

function withUsage(run: OpenRun, entry: EntryOf<'usage-recorded'>): OpenRun {
  const left = withoutLent(run, entry)
  return entry.costUsd === null ? left : { ...left, costUsd: left.costUsd + entry.costUsd }
}

function withoutLent(run: OpenRun, { stepId }: EntryOf<'usage-recorded'>): OpenRun {
  if (!run.lentSteps.some((step) => step.stepId === stepId)) return run
  return { ...run, lentSteps: run.lentSteps.filter((step) => step.stepId !== stepId) }
}

/** A summary or a title is no answer: it calls nothing, and is not one of the run's steps. [CHK3] */
function isBeside(step: OpenStep | null): boolean {
  return step?.purpose === 'title' || step?.purpose === 'checkpoint'
}

function finishedStep(run: OpenRun, entry: EntryOf<'step-finished'>): OpenRun {
  if (isBeside(run.openStep)) return { ...run, openStep: null }
  const calls = callsOf(entry)
  return {
    ...run,
    openStep: null,
    openCalls: [...run.openCalls, ...calls],
    stepCount: run.stepCount + 1,
    lastCallCount: calls.length,
    failedAttempts: 0,
    tooLongCount: 0,
  }
}

function failedStep(run: OpenRun, { error, attempt, retryAt }: EntryOf<'step-failed'>): OpenRun {
  if (isBeside(run.openStep)) return { ...run, openStep: null, retryAt: retryAt ?? null }
  return {
    ...run,
    openStep: null,
    failedAttempts: attempt,
    retryAt: retryAt ?? null,
    tooLongCount: error.code === 'too-long' ? run.tooLongCount + 1 : 0,
  }
}

/** What was erased had ended something, or opened nothing that is still known: it is over either way. [LOG9] */
function reduceErased(state: RunState, { erasedType, of }: EntryOf<'body-erased'>): RunState {
  const { runId, callId, requestId } = of
  if (requestId !== undefined) return updateAll(state, (run) => withoutRequest(run, requestId))
  if (runId === undefined) return state
  if (callId !== undefined && erasedType === 'tool-call-settled')
    return update(state, runId, (run) => withoutCall(run, { callId }))
  const endedStep = erasedType === 'step-finished' || erasedType === 'step-failed'
  return endedStep ? update(state, runId, (run) => ({ ...run, openStep: null })) : state
}

function finished(state: RunState, entry: EntryOf<'run-finished'>): RunState {
  const { runId, outcome, reason } = entry
  if (state.exclusive?.runId === runId) {
    const lastTurn = state.exclusive.purpose === 'turn' ? { runId, outcome, reason: reason ?? null } : state.lastTurn
    return { ...state, exclusive: null, lastTurn }
  }
  const ended = state.side.find((run) => run.runId === runId)
  if (!ended) return state
  const side = state.side.filter((run) => run !== ended)
  return ended.purpose === 'title' ? { ...state, side, titles: titlesAfter(state.titles, entry) } : { ...state, side }
}

/** One that a budget or a shutdown kept from being asked has not failed. */
function titlesAfter({ failedCount }: RunState['titles'], { outcome }: EntryOf<'run-finished'>): RunState['titles'] {
  switch (outcome) {
    case 'completed':
      return { failedCount: 0, isStopped: false }
    case 'failed':
      return { failedCount: failedCount + 1, isStopped: false }
    case 'stopped':
      return { failedCount, isStopped: true }
    case 'interrupted':
    case 'limit':
      return { failedCount, isStopped: false }
  }
}

function withRun(state: RunState, run: OpenRun): RunState {
  return isExclusive(run.purpose) ? { ...state, exclusive: run } : { ...state, side: [...state.side, run] }
}

function update(state: RunState, runId: string, change: (run: OpenRun) => OpenRun): RunState {
  return updateAll(state, (run) => (run.runId === runId ? change(run) : run))
}

function updateAll(state: RunState, change: (run: OpenRun) => OpenRun): RunState {
  return {
    ...state,
    exclusive: state.exclusive && phased(change(state.exclusive)),
    side: state.side.map((run) => phased(change(run))),
  }
}

/** The phase follows from what is open, most urgent first. */
function phased(run: OpenRun): OpenRun {
  const phase = phaseOf(run)
  return phase === run.phase ? run : { ...run, phase }
}

function phaseOf(run: OpenRun): RunPhase {
  if (run.stopRequestedAt !== null) return 'stopping'
  if (run.openRequestIds.length > 0) return 'waiting-for-permission'
  if (run.openCalls.length > 0) return 'running-tools'
  if (run.openStep) return 'streaming'
  if (run.retryAt !== null) return 'waiting-to-retry'
  return 'starting'
}

function stepOf(entry: EntryOf<'step-started'>): OpenStep {
  const { stepId, providerId, modelId, purpose, estimatedInputTokens } = entry
  // Only a step that was made elsewhere says no estimate: nothing of it is billed here.
  return { stepId, providerId, modelId, purpose, estimatedInputTokens: estimatedInputTokens ?? 0 }
}

/** Half an input is never executed, so such a call is not open. [RUN10] */
function callsOf(entry: EntryOf<'step-finished'>): OpenCall[] {
  return entry.blocks.flatMap((block) => (block.type === 'tool-call' && block.complete ? [newCall(entry, block)] : []))
}

function newCall(
  { stepId, seq }: EntryOf<'step-finished'>,
  { callId, name }: { callId: string; name: string },
): OpenCall {
  return {
    callId,
    stepId,
    name,
    stepSeq: seq,
    started: false,
    childConversationId: null,
    effects: false,
    request: null,
    handedOverAt: null,
  }
}

function askedCall(call: OpenCall, entry: EntryOf<'permission-requested'>): OpenCall {
  return call.callId === entry.callId ? { ...call, request: { requestId: entry.requestId, answer: null } } : call
}

function startedCall(call: OpenCall, entry: Entry & EntryOf<'tool-call-started'>): OpenCall {
  if (call.callId !== entry.callId) return call
  const { effects, childConversationId, runsAt, at } = entry
  const handedOverAt = runsAt === 'client' ? at : null
  return { ...call, started: true, effects, childConversationId: childConversationId ?? null, handedOverAt }
}

function withoutCall(
  run: OpenRun,
  { callId, childTotals }: Pick<EntryOf<'tool-call-settled'>, 'callId' | 'childTotals'>,
): OpenRun {
  const costUsd = run.costUsd + (childTotals?.costUsd ?? 0)
  const isHandedBack =
    run.isHandedBack || run.openCalls.some((call) => call.callId === callId && call.handedOverAt !== null)
  return { ...run, costUsd, isHandedBack, openCalls: run.openCalls.filter((call) => call.callId !== callId) }
}

/** The first answer wins. [PERM3] */
function answered(run: OpenRun, { requestId, outcome, by, reason }: EntryOf<'permission-settled'>): OpenRun {
  if (!run.openRequestIds.includes(requestId)) return run
  const answer = { outcome, by, reason: reason ?? null }
  return {
    ...withoutRequest(run, requestId),
    openCalls: run.openCalls.map((call) =>
      call.request?.requestId === requestId ? { ...call, request: { requestId, answer } } : call,
    ),
  }
}

function withoutRequest(run: OpenRun, requestId: string): OpenRun {
  if (!run.openRequestIds.includes(requestId)) return run
  return { ...run, openRequestIds: run.openRequestIds.filter((id) => id !== requestId) }
}
