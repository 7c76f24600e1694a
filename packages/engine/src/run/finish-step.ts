import { type LearntWindow, ratioOf } from '@holdfast/context'
import type { AnswerBlock, EntryOf, NewEntry, OpenRun, Overview } from '@holdfast/conversation'
import { nextRetry } from '@holdfast/provider'
import type { Ending } from '../api/ending.ts'
import { settingsOfLog } from '../chosen/settings-in-force.ts'
import { closeBesides, endRun, halfCallsOf, neverBegun } from '../live/end-run.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { stopEnding } from '../live/stop-ending.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { learntNotice, learntWindow, tellWindow } from '../request/learn-window.ts'
import { leftOutNotice, type Without, whatToLeaveOut } from '../request/leave-out.ts'
import type { StepResult } from '../request/take-step.ts'
import type { TurnRequest } from '../request/turn-request.ts'
import { billedTo, brokenCache, usageRecord } from '../request/usage.ts'

/** A request that has been answered, or not. */
export interface EndedStep {
  readonly stepId: string
  /** The request with what it was composed from. */
  readonly at: TurnRequest
  /** When it was made, in milliseconds since the Unix epoch. */
  readonly askedAt: number
  readonly result: StepResult
}

/**
 * Writes a step's answer, its usage and, where the run ends with it, the run's end, in one append: no reader sees one
 * without the others. [LOG3]
 */
export async function finishStep(atWork: RunAtWork, ended: EndedStep): Promise<void> {
  const { ports, log, runId, epoch, tenure, signal } = atWork
  const { stepId } = ended
  const ratio = ratioOf(log.requestState().ratios, billedTo(ended.at.model), ports.estimator)
  // Chance is asked once, however often the append is decided.
  const jitter = ports.random.next()
  const learnt = learntWindow(ended.at, ended.result.cause)
  let areClosed = false
  for (;;) {
    let ending: Ending | null = null
    await log.append({ epoch, command: null, dropDraft: stepId, givesBack: () => tenure.isGivenBack }, (state) => {
      const run = state.runState.exclusive
      tenure.isGivenBack = false
      if (run?.runId !== runId) return []
      const move = nextMove(ended, { state, run, aborted: signal.aborted, jitter })
      ending = move.type === 'end' && run.lentSteps.length > 0 && !areClosed ? move.ending : null
      if (ending !== null) return []
      tenure.isGivenBack = move.type === 'end' && tenure.isLast(state, move.ending)
      const { callsPerStep } = settingsOfLog(ports, state.settings)
      const written = { ended, move, learnt, now: ports.clock.now(), callsPerStep }
      return [...answerOf(run, written), usageOf(run, written, ratio), ...afterwards(state, run, written)]
    })
    if (ending === null) break
    await closeBesides(atWork, ending)
    areClosed = true
  }
  if (learnt !== null) tellWindow(ports, learnt, ended.at.model)
  atWork.onDraft(null)
}

/** What a step leads to. */
type NextMove =
  /** Its calls are next. */
  | { readonly type: 'calls' }
  /** It failed before its first content and is tried again. [RUN5] */
  | { readonly type: 'retry'; readonly waitMs: number }
  /** It is tried again at once and with less, and a notice says what. [RUN13] */
  | { readonly type: 'again'; readonly without: Without }
  /** It was too long: room is made, and it is asked again. [CHK8] */
  | { readonly type: 'make-room' }
  | { readonly type: 'end'; readonly ending: Ending }

interface At {
  readonly state: Overview
  readonly run: OpenRun
  readonly aborted: boolean
  readonly jitter: number
}

/** A stop that is in the log counts, even if the answer ended by itself in the meantime. [STOP1] */
function nextMove(ended: EndedStep, { state, run, aborted, jitter }: At): NextMove {
  const { result, at } = ended
  const { blocks, finish, error, cause, closedAtChars } = result
  if (run.stopRequestedAt !== null) return { type: 'end', ending: stopEnding(state, run) }
  if (aborted) return { type: 'end', ending: { outcome: 'interrupted', reason: 'The server was shut down.' } }
  if (closedAtChars !== null && error === null)
    return { type: 'end', ending: { outcome: 'limit', reason: fullAnswer(closedAtChars) } }
  if (error) {
    const without = blocks.length === 0 ? whatToLeaveOut(cause, at.request) : null
    if (without !== null) return { type: 'again', without }
    if (error.code === 'too-long' && blocks.length === 0 && run.tooLongCount < 3) return { type: 'make-room' }
    const failed = { attempt: run.failedAttempts + 1, sawContent: blocks.length > 0, random: { next: () => jitter } }
    const waitMs = cause ? nextRetry({ ...failed, error: cause }) : null
    return waitMs === null ? failedWith(error.message) : { type: 'retry', waitMs }
  }
  switch (finish) {
    case null:
      return failedWith('The provider broke off before the end of its answer.')
    case 'refused':
      return failedWith('The model refused to answer.')
    case 'length':
      return wholeCalls(blocks).length > 0
        ? { type: 'calls' }
        : { type: 'end', ending: { outcome: 'limit', reason: 'The model reached the length that an answer may have.' } }
    case 'end':
    case 'tool-calls':
      return wholeCalls(blocks).length > 0 ? { type: 'calls' } : { type: 'end', ending: { outcome: 'completed' } }
  }
}

function fullAnswer(chars: number): string {
  return `The answer reached ${chars} characters, the most that one may hold, and its request was closed. Say so to go on.`
}

function failedWith(reason: string): NextMove {
  return { type: 'end', ending: { outcome: 'failed', reason } }
}

interface Written {
  readonly ended: EndedStep
  readonly move: NextMove
  /** What its refusal says of the window; null for nothing new. [WIN8] */
  readonly learnt: LearntWindow | null
  /** Milliseconds since the Unix epoch. */
  readonly now: number
  /** Calls that one step may make. [RUN8] */
  readonly callsPerStep: number
}

/** What was published of the answer, and why there is no more of it. [STOP4, RUN5] */
function answerOf({ runId, failedAttempts }: OpenRun, { ended, move, now }: Written): NewEntry[] {
  const { stepId, result } = ended
  const { finish, error } = result
  const about = { actor: ENGINE, runId, stepId }
  const end = finish === null ? { finish: 'cut' as const, cut: cutOf(move, result) } : { finish }
  const thought = result.thinkingMs === null ? {} : { thinkingMs: result.thinkingMs }
  const answer: NewEntry = { type: 'step-finished', ...about, blocks: [...result.blocks], ...thought, ...end }
  if (!error) return [answer]
  const retry = move.type === 'retry' ? { retryAt: now + move.waitMs } : {}
  const attempt = failedAttempts + 1
  const failure: NewEntry = { type: 'step-failed', ...about, error: { ...error }, attempt, ...retry }
  return result.blocks.length > 0 ? [answer, failure] : [failure]
}

function cutOf(move: NextMove, { error, closedAtChars }: StepResult): NonNullable<EntryOf<'step-finished'>['cut']> {
  const outcome = move.type === 'end' ? move.ending.outcome : 'failed'
  if (outcome === 'stopped' || outcome === 'interrupted') return outcome
  if (error) return 'failed'
  return closedAtChars === null ? 'ended-early' : 'too-long'
}

function usageOf({ runId, purpose }: OpenRun, { ended, move }: Written, ratio: number): NewEntry {
  const { stepId, at, askedAt, result } = ended
  const { request, cacheBefore, estimatedInputTokens } = at
  const billed = billedTo(at.model)
  return usageRecord({
    runId,
    stepId,
    purpose,
    billed,
    cacheBreak: brokenCache({ request, result, cacheBefore, askedAt }, billed),
    estimatedInputTokens,
    blocks: result.blocks,
    ratio,
    usage: result.usage,
    ended: result.finish !== null,
    cause: result.cause,
    outcome: usageOutcome(move),
  })
}

function usageOutcome(move: NextMove): 'completed' | 'stopped' | 'failed' | 'interrupted' {
  if (move.type === 'calls') return 'completed'
  if (move.type !== 'end') return 'failed'
  return move.ending.outcome === 'limit' ? 'completed' : move.ending.outcome
}

/** What follows the answer in the same append. */
function afterwards(state: Overview, run: OpenRun, written: Written): NewEntry[] {
  const { learnt, ended } = written
  const { runId } = run
  const { model } = ended.at
  return [...(learnt === null ? [] : [learntNotice(learnt, { runId, model })]), ...movedOn(state, run, written)]
}

function movedOn(state: Overview, run: OpenRun, { ended, move, callsPerStep }: Written): NewEntry[] {
  const { stepId, at, result } = ended
  switch (move.type) {
    case 'calls':
      return callsLeftOut(result, callsPerStep).map((call) => notStarted(run.runId, stepId, call))
    case 'retry':
    case 'make-room':
      return []
    case 'again':
      return [leftOutNotice(move.without, { runId: run.runId, model: billedTo(at.model) })]
    case 'end': {
      const cutAnswer = result.finish === null && result.blocks.length > 0
      return endRun(
        state,
        { ...run, openCalls: neverBegun(stepId, result.blocks) },
        {
          ending: move.ending,
          cutAnswer,
          halfCalls: halfCallsOf(result.blocks),
          lost: false,
        },
      )
    }
  }
}

type Call = Extract<AnswerBlock, { type: 'tool-call' }>

function wholeCalls(blocks: readonly AnswerBlock[]): readonly Call[] {
  return blocks.flatMap((block) => (block.type === 'tool-call' && block.complete ? [block] : []))
}

/** Calls over the limit, and one in which the answer reached its length: its input may lack its end. [RUN8, RUN10] */
function callsLeftOut(
  { blocks, finish }: StepResult,
  callsPerStep: number,
): readonly (Call & { readonly why: string })[] {
  const calls = wholeCalls(blocks)
  const within = calls.slice(0, callsPerStep)
  const last = finish === 'length' ? within.findLast((call) => call === blocks.at(-1)) : undefined
  const short = 'The answer reached its length in the middle of this call. It did not run.'
  const over = `A step may make ${callsPerStep} calls, and this one made ${calls.length}. It did not run.`
  return [
    ...(last ? [{ ...last, why: short }] : []),
    ...calls.slice(callsPerStep).map((call) => ({ ...call, why: over })),
  ]
}

function notStarted(runId: string, stepId: string, { callId, name, why }: Call & { readonly why: string }): NewEntry {
  const content = [{ type: 'text' as const, text: why }]
  const about = { runId, stepId, callId, name, outcome: 'not-started' as const, content, durationMs: 0 }
  return { type: 'tool-call-settled', actor: ENGINE, ...about }
}
