import type { Entry, EntryOf } from '@holdfast/conversation'
import { CLIENT_TOOL } from '../parts/simulated-tools.ts'
import type { Violate } from './violation.ts'

interface WatchedCall {
  readonly callId: string
  /** Where the answer that made it stands. */
  readonly seq: number
  readonly stepId: string
  readonly name: string
  readonly inputText: string
  started: boolean
  startedMs: number
  outcome: EntryOf<'tool-call-settled'>['outcome'] | null
}

interface WatchedStep {
  readonly stepId: string
  /** What it asks for beside an answer is not called, and stands in no request. */
  readonly isAnswer: boolean
  closed: boolean
  answered: boolean
  usageRecords: number
}

interface WatchedRun {
  readonly runId: string
  finished: boolean
  stopped: boolean
  readonly steps: Map<string, WatchedStep>
  /** By step and id: a provider may repeat an id that its request does not hold. */
  readonly calls: Map<string, WatchedCall>
  readonly openRequests: Set<string>
}

/** The runs of one log, kept independently of the product's own projections. */
export interface RunRules {
  take(entry: Entry): void
  /** The call of a step, as the model made it. */
  callOf(stepId: string, callId: string): { readonly name: string; readonly inputText: string } | null
  /** Whether a call has begun, and has no outcome or one that says that nobody knows what it did. */
  mayRun(callId: string): boolean
  /** What must hold when nothing happens any more. */
  whenQuiet(): void
}

/** What the rules of runs need. */
export interface RunRulesParts {
  readonly violate: Violate
  /** Whether the tool of a call was really run. */
  readonly hasRun: (stepId: string, callId: string) => boolean
  /** Virtual time, in milliseconds. */
  readonly nowMs: () => number
}

/** Checks every entry of runs: one exclusive run, one end, nothing after it, every call settled once. */
export function createRunRules({ violate, hasRun, nowMs }: RunRulesParts): RunRules {
  const runs = new Map<string, WatchedRun>()
  let exclusive: string | null = null
  /** From here on requests hold what is there: a checkpoint or the window took out what was before. */
  let heldFromSeq = 0
  /** A title is made beside all else, one at a time. */
  let titling: string | null = null

  function started({ runId, seq, purpose }: EntryOf<'run-started'>): void {
    const open = purpose === 'title' ? titling : exclusive
    if (open !== null) violate('RUN2', `Run ${runId} (${purpose}) began at ${seq} while run ${open} was open`)
    if (runs.has(runId)) violate('RUN1', `Run ${runId} began twice, again at ${seq}`)
    if (purpose === 'title') titling = runId
    else exclusive = runId
    runs.set(runId, {
      runId,
      finished: false,
      stopped: false,
      steps: new Map(),
      calls: new Map(),
      openRequests: new Set(),
    })
  }

  function finished(run: WatchedRun, { seq }: EntryOf<'run-finished'>): void {
    run.finished = true
    if (exclusive === run.runId) exclusive = null
    if (titling === run.runId) titling = null
    for (const step of run.steps.values()) {
      if (!step.closed) violate('RUN4', `Run ${run.runId} ended at ${seq} with step ${step.stepId} open`)
      if (step.usageRecords !== 1)
        violate('COST1', `Step ${step.stepId} has ${step.usageRecords} usage records when its run ends at ${seq}`)
    }
    for (const call of run.calls.values())
      if (call.outcome === null)
        violate('TOOL2', `Run ${run.runId} ended at ${seq} and call ${call.callId} has no outcome`)
    for (const requestId of run.openRequests)
      violate('STOP6', `Run ${run.runId} ended at ${seq} while request ${requestId} still waits`)
  }

  function stepStarted(run: WatchedRun, { stepId, seq, purpose }: EntryOf<'step-started'>): void {
    if (run.stopped) violate('STOP2', `Step ${stepId} began at ${seq}, after its run was asked to stop`)
    for (const step of run.steps.values())
      if (!step.closed) violate('RUN1', `Step ${stepId} began at ${seq} while step ${step.stepId} was open`)
    for (const call of run.calls.values())
      if (call.outcome === null) violate('REQ2', `Step ${stepId} began at ${seq} while call ${call.callId} was open`)
    if (run.steps.has(stepId)) violate('RUN1', `Step ${stepId} began twice, again at ${seq}`)
    run.steps.set(stepId, { stepId, isAnswer: purpose === 'turn', closed: false, answered: false, usageRecords: 0 })
  }

  function stepFinished(run: WatchedRun, { stepId, seq, blocks }: EntryOf<'step-finished'>): void {
    const step = run.steps.get(stepId)
    if (!step || step.closed) violate('RUN1', `The answer of step ${stepId} at ${seq} belongs to no open step`)
    if (step) {
      step.closed = true
      step.answered = blocks.length > 0
    }
    if (!step?.isAnswer) return
    for (const block of blocks) {
      if (block.type !== 'tool-call' || !block.complete) continue
      const { callId, name, inputText } = block
      if ([...run.calls.values()].some((call) => call.callId === callId && call.seq >= heldFromSeq))
        violate('RUN11', `Call ${callId} was made twice in run ${run.runId}, again at ${seq}`)
      const call = { callId, seq, stepId, name, inputText, started: false, startedMs: 0, outcome: null }
      run.calls.set(nameOf(stepId, callId), call)
    }
  }

  function stepFailed(run: WatchedRun, { stepId, seq, retryAt }: EntryOf<'step-failed'>): void {
    const step = run.steps.get(stepId)
    if (!step) violate('RUN1', `Step ${stepId} failed at ${seq} and never began`)
    if (step?.closed && !step.answered) violate('RUN1', `Step ${stepId} ended twice, again at ${seq}`)
    if (step?.answered && retryAt !== undefined)
      violate('RUN5', `Step ${stepId} is tried again after its first content, says ${seq}`)
    if (step) step.closed = true
  }

  function callStarted(run: WatchedRun, { stepId, callId, seq, input }: EntryOf<'tool-call-started'>): void {
    const call = run.calls.get(nameOf(stepId, callId))
    if (run.stopped) violate('STOP2', `Call ${callId} started at ${seq}, after its run was asked to stop`)
    if (!call) {
      violate('TOOL6', `Call ${callId} started at ${seq} and nobody made it`)
      return
    }
    if (call.started) violate('TOOL6', `Call ${callId} started twice, again at ${seq}`)
    if (call.outcome !== null) violate('TOOL2', `Call ${callId} started at ${seq}, after it had settled`)
    if (!sameJson(call.inputText, input))
      violate('PERM3', `Call ${callId} started at ${seq} with another input than the model gave`)
    call.started = true
    call.startedMs = nowMs()
  }

  function callSettled(
    run: WatchedRun,
    { stepId, callId, seq, outcome, durationMs }: EntryOf<'tool-call-settled'>,
  ): void {
    const call = run.calls.get(nameOf(stepId, callId))
    if (!call) {
      violate('TOOL2', `Call ${callId} settled at ${seq} and nobody made it`)
      return
    }
    if (call.outcome !== null) violate('TOOL2', `Call ${callId} settled twice, again at ${seq}`)
    const neverRan = outcome === 'denied' || outcome === 'not-started'
    // A shutdown may come between the intent and the start.
    if (hasRun(call.stepId, callId) && neverRan)
      violate('STOP5', `Call ${callId} settled at ${seq} as ${outcome}, but it had run`)
    if (!call.started && ['ok', 'timed-out', 'aborted', 'unknown'].includes(outcome))
      violate('TOOL6', `Call ${callId} settled at ${seq} as ${outcome}, but it never started`)
    // What a client ran is measured by the clocks of two processes.
    if (call.started && call.name !== CLIENT_TOOL && durationMs > nowMs() - call.startedMs + 1)
      violate(
        'TOOL3',
        `Call ${callId} settled at ${seq} after ${durationMs} ms, and began ${nowMs() - call.startedMs} ms ago`,
      )
    call.outcome = outcome
  }

  function usage({ runId, stepId, seq }: EntryOf<'usage-recorded'>): void {
    const step = runs.get(runId ?? '')?.steps.get(stepId ?? '')
    if (!step) {
      violate('COST1', `The usage at ${seq} belongs to no step`)
      return
    }
    step.usageRecords += 1
    if (step.usageRecords > 1) violate('COST1', `The usage of step ${step.stepId} is recorded twice, again at ${seq}`)
  }

  function ofRun(entry: Entry, runId: string): void {
    const run = runs.get(runId)
    if (!run) {
      violate('RUN1', `${entry.type} at ${entry.seq} belongs to run ${runId}, which never began`)
      return
    }
    if (run.finished && entry.type !== 'tool-result-late')
      violate('RUN1', `${entry.type} at ${entry.seq} came after the end of run ${runId}`)
    switch (entry.type) {
      case 'run-finished': {
        finished(run, entry)
        return
      }
      case 'step-started': {
        stepStarted(run, entry)
        return
      }
      case 'step-finished': {
        stepFinished(run, entry)
        return
      }
      case 'step-failed': {
        stepFailed(run, entry)
        return
      }
      case 'stop-requested':
        run.stopped = true
        return
      case 'tool-call-started': {
        callStarted(run, entry)
        return
      }
      case 'tool-call-settled': {
        callSettled(run, entry)
        return
      }
      case 'permission-requested':
        if (run.stopped) violate('STOP6', `A person was asked at ${entry.seq}, after the run was asked to stop`)
        run.openRequests.add(entry.requestId)
        return
      case 'usage-recorded': {
        usage(entry)
        return
      }
      default:
        return
    }
  }

  return {
    take(entry) {
      if (entry.type === 'run-started') {
        started(entry)
        return
      }
      if (entry.type === 'checkpoint-made') heldFromSeq = Math.max(heldFromSeq, entry.keptFromSeq)
      if (entry.type === 'window-moved') heldFromSeq = Math.max(heldFromSeq, entry.startSeq)
      if (entry.type === 'permission-settled') for (const run of runs.values()) run.openRequests.delete(entry.requestId)
      if ('runId' in entry && entry.runId !== undefined) ofRun(entry, entry.runId)
    },
    callOf(stepId, callId) {
      for (const run of runs.values()) {
        const call = run.calls.get(nameOf(stepId, callId))
        if (call) return call
      }
      return null
    },
    mayRun: (callId) =>
      [...runs.values()].some((run) =>
        [...run.calls.values()].some(
          (call) => call.callId === callId && call.started && (call.outcome === null || call.outcome === 'unknown'),
        ),
      ),
    whenQuiet() {
      for (const run of runs.values()) if (!run.finished) violate('RUN1', `Run ${run.runId} never ended`)
    },
  }
}

function nameOf(stepId: string, callId: string): string {
  return `${stepId} ${callId}`
}

function sameJson(text: string, value: unknown): boolean {
  try {
    // A call without arguments is streamed as no input at all.
    const read: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return JSON.stringify(sorted(read)) === JSON.stringify(sorted(value))
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** The value with the keys of its objects in order. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
