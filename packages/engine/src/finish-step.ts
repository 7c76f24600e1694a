import { cacheBreakOf, type PromptCache, ratioOf } from '@holdfast/context'
import type { AnswerBlock, CacheBreak, NewEntry, OpenRun, Overview } from '@holdfast/conversation'
import { type ModelRequest, nextRetry, type ProviderError, type RequestMessage } from '@holdfast/provider'
import { endRun, halfCallsOf } from './end-run.ts'
import type { Ending } from './ending.ts'
import { noticeOf, type Without } from './less-notices.ts'
import { LIMITS, type ModelChoice } from './ports.ts'
import type { StepResult } from './take-step.ts'
import { ENGINE, type Turn } from './turn.ts'
import { type Billed, billedTo, usageRecord } from './usage.ts'

/** A request that has been answered, or not. */
export interface EndedStep {
  readonly stepId: string
  readonly model: ModelChoice
  readonly request: ModelRequest
  /** What the request was estimated to hold. */
  readonly estimatedInputTokens: number
  /** What the provider's cache held before. [CACHE4] */
  readonly cacheBefore: PromptCache
  /** When it was made, in milliseconds since the Unix epoch. */
  readonly askedAt: number
  readonly result: StepResult
}

/**
 * Writes a step's answer, its usage and, where the run ends with it, the run's end, in one append: no reader sees one
 * without the others. [LOG3]
 */
export async function finishStep(turn: Turn, ended: EndedStep): Promise<void> {
  const { ports, log, runId, epoch, signal } = turn
  const { stepId } = ended
  const ratio = ratioOf(log.requestState().ratios, billedTo(ended.model))
  // Chance is asked once, however often the append is decided.
  const jitter = ports.random.next()
  await log.append({ epoch, command: null, dropDraft: stepId }, (state) => {
    const run = state.runState.exclusive
    if (run?.runId !== runId) return []
    const fate = fateOf(ended, { run, aborted: signal.aborted, jitter })
    const written = { ended, fate, now: ports.clock.now() }
    return [...answerOf(run, written), usageOf(run, written, ratio), ...afterwards(state, run, written)]
  })
  turn.onDraft(null)
}

/** What a step leads to. */
type Fate =
  /** Its calls are next. */
  | { readonly type: 'calls' }
  /** It failed before its first content and is tried again. [RUN5] */
  | { readonly type: 'retry'; readonly waitMs: number }
  /** … at once and with less, and a notice says what. [RUN13] */
  | { readonly type: 'again'; readonly without: Without }
  /** It was too long: room is made, and it is asked again. [CHK8] */
  | { readonly type: 'make-room' }
  | { readonly type: 'end'; readonly ending: Ending }

interface At {
  readonly run: OpenRun
  readonly aborted: boolean
  readonly jitter: number
}

/** A stop that is in the log counts, even if the answer ended by itself in the meantime. [STOP1] */
function fateOf(ended: EndedStep, { run, aborted, jitter }: At): Fate {
  const { result, request } = ended
  const { blocks, finish, error, cause } = result
  if (run.stopRequestedAt !== null) return { type: 'end', ending: { outcome: 'stopped' } }
  if (aborted) return { type: 'end', ending: { outcome: 'interrupted', reason: 'The server was shut down.' } }
  if (error) {
    const without = blocks.length === 0 ? whatToLeaveOut(cause, request) : null
    if (without !== null) return { type: 'again', without }
    // With the window unknown there is nothing to make room by. [CHK8]
    const canShrink = ended.model.facts.contextWindowTokens !== null && run.tooLongCount < 3
    if (error.code === 'too-long' && blocks.length === 0 && canShrink) return { type: 'make-room' }
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

/** What the provider did not accept of the request, if it can be asked again without. [RUN13, REQ4] */
function whatToLeaveOut(cause: ProviderError | null, { thinkingBudgetTokens, messages }: ModelRequest): Without | null {
  switch (cause?.detail ?? null) {
    case 'thinking-parameters':
      return thinkingBudgetTokens === null ? null : 'thinking'
    case 'thinking-signature':
      return messages.some(holdsThinking) ? 'earlier-thinking' : null
    case null:
      return null
  }
}

function holdsThinking(message: RequestMessage): boolean {
  return message.role === 'assistant' && message.blocks.some(({ type }) => type === 'thinking')
}

function failedWith(reason: string): Fate {
  return { type: 'end', ending: { outcome: 'failed', reason } }
}

interface Written {
  readonly ended: EndedStep
  readonly fate: Fate
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

/** What was published of the answer, and why there is no more of it. [STOP4, RUN5] */
function answerOf({ runId, failedAttempts }: OpenRun, { ended, fate, now }: Written): NewEntry[] {
  const { stepId, result } = ended
  const { finish, error } = result
  const about = { actor: ENGINE, runId, stepId }
  const end = finish === null ? { finish: 'cut' as const, cut: cutOf(fate, error) } : { finish }
  const answer: NewEntry = { type: 'step-finished', ...about, blocks: [...result.blocks], ...end }
  if (!error) return [answer]
  const retry = fate.type === 'retry' ? { retryAt: now + fate.waitMs } : {}
  const attempt = failedAttempts + 1
  const failure: NewEntry = { type: 'step-failed', ...about, error: { ...error }, attempt, ...retry }
  return result.blocks.length > 0 ? [answer, failure] : [failure]
}

function cutOf(fate: Fate, error: StepResult['error']): 'stopped' | 'interrupted' | 'failed' | 'ended-early' {
  const outcome = fate.type === 'end' ? fate.ending.outcome : 'failed'
  if (outcome === 'stopped' || outcome === 'interrupted') return outcome
  return error ? 'failed' : 'ended-early'
}

function usageOf({ runId, purpose }: OpenRun, { ended, fate }: Written, ratio: number): NewEntry {
  const { stepId, model, estimatedInputTokens, result } = ended
  const billed = billedTo(model)
  return usageRecord({
    runId,
    stepId,
    purpose,
    billed,
    cacheBreak: brokenCache(ended, billed),
    estimatedInputTokens,
    blocks: result.blocks,
    ratio,
    usage: result.usage,
    ended: result.finish !== null,
    refused: result.cause?.status != null && result.blocks.length === 0,
    outcome: usageOutcome(fate),
  })
}

/** What the cache held before; null for a request that begins with nothing of it. */
interface Looked {
  readonly cacheBefore: PromptCache | null
}

/** Only what the provider said of the cache tells of a break: without its figures nobody knows. [CACHE4] */
export function brokenCache(
  {
    request: { toolChoice },
    result: { usage },
    cacheBefore,
    askedAt,
  }: Pick<EndedStep, 'request' | 'result' | 'askedAt'> & Looked,
  model: Billed,
): CacheBreak | null {
  if (cacheBefore === null || usage === null || usage.inputTokens === null) return null
  return cacheBreakOf({ before: cacheBefore, model, toolChoice, usage, at: askedAt })
}

function usageOutcome(fate: Fate): 'completed' | 'stopped' | 'failed' | 'interrupted' {
  if (fate.type === 'calls') return 'completed'
  if (fate.type !== 'end') return 'failed'
  return fate.ending.outcome === 'limit' ? 'completed' : fate.ending.outcome
}

/** What follows the answer in the same append. */
function afterwards(state: Overview, run: OpenRun, { ended, fate }: Written): NewEntry[] {
  const { stepId, result } = ended
  const calls = wholeCalls(result.blocks)
  switch (fate.type) {
    case 'calls':
      return callsLeftOut(result).map((call) => notStarted(run.runId, stepId, call))
    case 'retry':
    case 'make-room':
      return []
    case 'again':
      return [noticeOf(run.runId, fate.without)]
    case 'end': {
      const made = calls.map(({ callId, name }) => ({
        ...{ callId, stepId, name, stepSeq: 0 },
        ...{ started: false, childConversationId: null, effects: false, request: null },
      }))
      const cutAnswer = result.finish === null && result.blocks.length > 0
      return endRun(
        state,
        { ...run, openCalls: made },
        {
          ...{ ending: fate.ending, cutAnswer, halfCalls: halfCallsOf(result.blocks), lost: false },
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
function callsLeftOut({ blocks, finish }: StepResult): readonly (Call & { readonly why: string })[] {
  const calls = wholeCalls(blocks)
  const within = calls.slice(0, LIMITS.callsPerStep)
  const last = finish === 'length' ? within.findLast((call) => call === blocks.at(-1)) : undefined
  const short = 'The answer reached its length in the middle of this call. It did not run.'
  const over = `A step may make ${LIMITS.callsPerStep} calls, and this one made ${calls.length}. It did not run.`
  return [
    ...(last ? [{ ...last, why: short }] : []),
    ...calls.slice(LIMITS.callsPerStep).map((call) => ({ ...call, why: over })),
  ]
}

function notStarted(runId: string, stepId: string, { callId, name, why }: Call & { readonly why: string }): NewEntry {
  const content = [{ type: 'text' as const, text: why }]
  const about = { runId, stepId, callId, name, outcome: 'not-started' as const, content, durationMs: 0 }
  return { type: 'tool-call-settled', actor: ENGINE, ...about }
}
