import type { AnswerBlock, EntryOf, NewEntry, OpenCall, OpenRun, Overview } from '@holdfast/conversation'
import type { Ending } from '../api/ending.ts'
import { ENGINE } from '../log/engine-actor.ts'
import type { RunAtWork } from './run-at-work.ts'
import { whoStopped } from './stop-ending.ts'

/** How a run is closed, beside its outcome. */
export interface Closing {
  readonly ending: Ending
  /** Whether an answer was cut: then the model is told why it ends where it does. [STOP7] */
  readonly cutAnswer: boolean
  /** Names of tools whose input was cut: the model has to know what it did not do. */
  readonly halfCalls: readonly string[]
  /** Whether its process is gone, so that nobody knows what became of a call that had started. */
  readonly lost: boolean
}

/**
 * The entries that close a run, for every way in: open requests are called off, every open call is settled, the model
 * is told what was cut, the run has its one end, and the queue is held where it must be. [RUN1, STOP5, STOP6, STOP9]
 */
export function endRun(state: Overview, run: OpenRun, closing: Closing): NewEntry[] {
  const { ending, cutAnswer, halfCalls, lost } = closing
  const { runId } = run
  const { outcome } = ending
  // A summary or a title that was cut is no reply: the model never hears of it. [REQ3]
  const isReply = run.purpose === 'turn'
  const stopper = outcome === 'stopped' ? whoStopped(state, run) : null
  const wasCut = cutAnswer || run.openCalls.length > 0
  const marker = isReply ? markerOf(outcome, { wasCut, halfCalls, stopper }) : null
  return [
    ...run.openRequestIds.map((requestId) => callOff(requestId, outcome)),
    ...callOffQuestions(state, { runId }, outcome === 'stopped' ? 'stop' : 'recovery'),
    ...run.openCalls.map((call) => settleUnfinished(runId, call, { stopper, lost })),
    ...(marker === null ? [] : [{ type: 'stop-noted' as const, actor: ENGINE, runId, text: marker }]),
    { type: 'run-finished', actor: ENGINE, runId, ...ending },
    ...(isExclusiveRun(state, run) ? holdAfter(state, outcome) : []),
  ]
}

/** A run that ended well waits so long for requests that are made beside it, such as for a title; in milliseconds. */
const BESIDES_MS = 3_000

/** Waits until what is asked beside a run is recorded: nothing of it comes after the end of the run. [AGENT8, RUN1] */
export function closeBesides({ besides }: Pick<RunAtWork, 'besides'>, { outcome }: Ending): Promise<void> {
  return besides.close(outcome === 'completed' ? BESIDES_MS : 0)
}

/** Ends the run where nothing is open but the run itself. */
export async function endNow(atWork: RunAtWork, ending: Ending): Promise<void> {
  const { log, runId, epoch, onDraft } = atWork
  await closeBesides(atWork, ending)
  await log.append({ epoch, command: null, dropDraft: null }, (state) => {
    const run = state.runState.exclusive
    return run?.runId === runId ? endRun(state, run, { ending, cutAnswer: false, halfCalls: [], lost: false }) : []
  })
  onDraft(null)
}

/** Why the work of a run is cut off: its person stopped it, else its process ends or has lost it. [STOP1, RUN14] */
export function cutBy({ runId }: Pick<RunAtWork, 'runId'>, { runState }: Overview): 'stopped' | 'interrupted' {
  const run = [runState.exclusive, ...runState.side].find((open) => open?.runId === runId)
  return run != null && run.stopRequestedAt !== null && run.stoppedBy?.type !== 'engine' ? 'stopped' : 'interrupted'
}

/** What calls off the open questions of one call, or of a run as a whole. [TOOL11, STOP6] */
export function callOffQuestions(
  { pendingQuestions }: Overview,
  of: { readonly runId: string; readonly callId?: string },
  by: EntryOf<'question-settled'>['by'],
): NewEntry[] {
  return pendingQuestions
    .filter(({ runId, callId }) => runId === of.runId && (of.callId === undefined || callId === of.callId))
    .map(({ questionId }) => ({ type: 'question-settled', actor: ENGINE, questionId, outcome: 'cancelled', by }))
}

/**
 * After anything but a good end nothing is sent by itself, unless a person sent something since the stop:
 * that is the act that lets the queue go on. [STOP9, STOP11]
 */
function holdAfter(state: Overview, outcome: EntryOf<'run-finished'>['outcome']): NewEntry[] {
  const { held, inputs } = state.queue
  if (outcome === 'completed' || held || inputs.length === 0 || inputs.some(({ afterStop }) => afterStop)) return []
  return [{ type: 'queue-held', actor: ENGINE, reason: outcome === 'limit' ? 'failed' : outcome }]
}

function isExclusiveRun({ runState }: Overview, { runId }: OpenRun): boolean {
  return runState.exclusive?.runId === runId
}

function callOff(requestId: string, outcome: Ending['outcome']): NewEntry {
  const by = outcome === 'stopped' ? 'stop' : 'recovery'
  return { type: 'permission-settled', actor: ENGINE, requestId, outcome: 'cancelled', by }
}

/** A call that never started did nothing; of one that did, nobody knows. It is not started again. [TOOL6] */
export function settleUnfinished(
  runId: string,
  { callId, stepId, name, started, handedOverAt }: OpenCall,
  { stopper, lost }: Pick<CutAnswer, 'stopper'> & Pick<Closing, 'lost'>,
): NewEntry {
  const who = stopper === null ? 'The reply was cut off' : `${stopper} stopped the reply`
  const text = started
    ? `${who} while this tool ran. It may have taken effect; nobody knows.`
    : `${who} before this tool started. It did not run.`
  // Nobody here can end what a client runs. [TOOL18]
  const isBeyondReach = lost || handedOverAt !== null
  const outcome = started ? (isBeyondReach ? 'unknown' : 'aborted') : 'not-started'
  const content = [{ type: 'text' as const, text }]
  return { type: 'tool-call-settled', actor: ENGINE, runId, stepId, callId, name, outcome, content, durationMs: 0 }
}

interface CutAnswer {
  readonly wasCut: boolean
  readonly halfCalls: readonly string[]
  /** Who stopped it, in words for the model; null where nobody did. */
  readonly stopper: string | null
}

/** What the model is told of a reply that did not end by itself; null when there is nothing to tell. [STOP7] */
function markerOf(outcome: Ending['outcome'], cut: CutAnswer): string | null {
  const why = whyCut(outcome, cut)
  if (why === null || cut.halfCalls.length === 0) return why
  const names = cut.halfCalls.map((name) => name.slice(0, 100)).join(', ')
  return `${why} You were writing a call of ${names}; its input was not complete, and it did not run.`
}

function whyCut(outcome: Ending['outcome'], { wasCut, stopper }: CutAnswer): string | null {
  switch (outcome) {
    case 'stopped':
      return `${stopper} stopped your reply above before it ended. What stands there is all of it that was shown.`
    case 'interrupted':
      return wasCut ? 'Your reply above was cut off because the server stopped. Nobody chose that.' : null
    case 'failed':
      return wasCut ? 'Your reply above was cut off by a failure on the way to you. Nobody chose that.' : null
    case 'completed':
    case 'limit':
      return null
  }
}

/** The whole calls of an answer whose run ends with it: none of them began. */
export function neverBegun(stepId: string, blocks: readonly AnswerBlock[]): OpenRun['openCalls'] {
  const calls = blocks.flatMap((block) => (block.type === 'tool-call' && block.complete ? [block] : []))
  return calls.map(({ callId, name }) => ({
    callId,
    stepId,
    name,
    stepSeq: 0,
    started: false,
    childConversationId: null,
    effects: false,
    request: null,
    handedOverAt: null,
  }))
}

/** The tools whose input ends in the middle. */
export function halfCallsOf(blocks: readonly AnswerBlock[]): readonly string[] {
  return blocks.flatMap((block) => (block.type === 'tool-call' && !block.complete ? [block.name] : []))
}
