import { type PromptCache, ratioOf } from '@holdfast/context'
import { type NewEntry, waitUntil } from '@holdfast/conversation'
import { nextRetry } from '@holdfast/provider'
import type { Ending } from '../api/ending.ts'
import { cutBy } from '../live/end-run.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { type ExpectedPrice, judgeBudgets } from './budget.ts'
import { leftOutNotice, whatToLeaveOut } from './leave-out.ts'
import { type Receipt, startStep } from './start-step.ts'
import { type StepResult, takeStep } from './take-step.ts'
import { billedTo, brokenCache, usageRecord } from './usage.ts'

/** A request that is no part of the conversation. */
export interface BesideRequest extends Omit<Receipt, 'notes'> {
  /** What it is expected to cost, for the budgets. [COST7] */
  readonly price: ExpectedPrice
  /** What the provider's cache held of what it begins with; null where it begins with nothing of it. [CACHE4] */
  readonly cacheBefore: PromptCache | null
  /** What else the log is to say of a failure, in the append of it. */
  readonly saidOf?: (result: StepResult) => readonly NewEntry[]
  /** Told once the log says it. */
  readonly onSaid?: (result: StepResult) => void
}

/** What came of one. */
export type BesideAnswer =
  | { readonly type: 'answered'; readonly stepId: string; readonly result: StepResult }
  /** Its provider refused something of it that the log now leaves out: composed again it is another request. [RUN13] */
  | { readonly type: 'changed' }
  /** A stop came first. */
  | { readonly type: 'stopped' }
  /** A budget does not reach; nothing was asked. [COST7] */
  | { readonly type: 'over-budget'; readonly ending: Ending }

/**
 * Makes a request that is no part of the conversation: a summary, a title. Its answer and its usage are written down;
 * what it calls is never run. It waits and tries again as a turn does, each attempt with its record. [CHK3, COST1, RUN15]
 */
export async function askBeside(
  atWork: RunAtWork,
  purpose: 'checkpoint' | 'title',
  receipt: BesideRequest,
): Promise<BesideAnswer> {
  const { ports, signal } = atWork
  for (let attempt = 1; ; attempt++) {
    const over = await judgeBudgets(atWork, receipt.price)
    if (over !== null) return { type: 'over-budget', ending: over }
    const attempted = await attemptOnce(atWork, purpose, { receipt, attempt })
    if (attempted.type !== 'retry') return attempted
    await waitUntil(ports.clock, attempted.at, signal)
    if (signal.aborted) return { type: 'stopped' }
  }
}

/** An attempt that may be repeated, then, in milliseconds since the Unix epoch. */
type Attempted = BesideAnswer | { readonly type: 'retry'; readonly at: number }

async function attemptOnce(
  atWork: RunAtWork,
  purpose: 'checkpoint' | 'title',
  { receipt, attempt }: { readonly receipt: BesideRequest; readonly attempt: number },
): Promise<Attempted> {
  const { ports, log, runId, epoch, signal } = atWork
  const { model, request, estimatedInputTokens, cacheBefore, saidOf, onSaid } = receipt
  const askedAt = ports.clock.now()
  const step = await startStep(atWork, purpose, { ...receipt, notes: [] })
  if (step === null) return { type: 'stopped' }
  const { stepId } = step
  const address = { conversationId: log.conversationId, runId, ...step, epoch }
  const result = await takeStep(atWork, { model, request, address })
  const { blocks, finish, error, cause, closedAtChars } = result
  const about = { actor: ENGINE, runId, stepId }
  const billed = billedTo(model)
  const without = blocks.length === 0 ? whatToLeaveOut(cause, request) : null
  const failed = { attempt, sawContent: blocks.length > 0, random: ports.random }
  const waitMs = cause === null || without !== null ? null : nextRetry({ ...failed, error: cause })
  const retryAt = waitMs === null ? null : ports.clock.now() + waitMs
  const said = [
    ...(without === null ? [] : [leftOutNotice(without, { runId, model: billed })]),
    ...(saidOf?.(result) ?? []),
  ]
  let isStopped = false
  // A title has no draft, and is made beside an answer that may have one.
  const dropDraft = purpose === 'title' ? null : stepId
  await log.append({ epoch, command: null, dropDraft }, (state) => {
    isStopped = signal.aborted
    const by = isStopped ? cutBy(atWork, state) : null
    const outcome = by ?? (finish === null ? ('failed' as const) : ('completed' as const))
    const own = closedAtChars === null ? ('ended-early' as const) : ('too-long' as const)
    const cut = by ?? (error ? ('failed' as const) : own)
    const end = finish === null ? { finish: 'cut' as const, cut } : { finish }
    const answer: NewEntry = { type: 'step-finished', ...about, blocks: [...blocks], ...end, purpose }
    const again = retryAt === null || isStopped ? {} : { retryAt }
    const failure: NewEntry[] = error ? [{ type: 'step-failed', ...about, error: { ...error }, attempt, ...again }] : []
    return [
      ...(failure.length > 0 && blocks.length === 0 ? [] : [answer]),
      ...failure,
      usageRecord({
        runId,
        stepId,
        purpose,
        estimatedInputTokens,
        blocks,
        outcome,
        billed,
        ratio: ratioOf(log.requestState().ratios, billed, ports.estimator),
        usage: result.usage,
        cacheBreak: brokenCache({ request, result, cacheBefore, askedAt }, billed),
        ended: finish !== null,
        cause,
      }),
      ...(isStopped ? [] : said),
    ]
  })
  atWork.onDraft(null)
  if (!isStopped) onSaid?.(result)
  if (signal.aborted) return { type: 'stopped' }
  if (said.length > 0) return { type: 'changed' }
  return retryAt === null ? { type: 'answered', stepId, result } : { type: 'retry', at: retryAt }
}
