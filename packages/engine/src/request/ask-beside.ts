import { type PromptCache, ratioOf } from '@holdfast/context'
import type { NewEntry } from '@holdfast/conversation'
import type { Ending } from '../api/ending.ts'
import { ENGINE } from '../log/engine-actor.ts'
import type { RunAtWork } from '../log/run-at-work.ts'
import { type ExpectedPrice, judgeBudgets } from './budget.ts'
import { type Receipt, startStep } from './start-step.ts'
import { type StepResult, takeStep } from './take-step.ts'
import { billedTo, brokenCache, usageRecord } from './usage.ts'

/** A request that is no part of the conversation. */
export interface BesideRequest extends Omit<Receipt, 'notes'> {
  /** What it is expected to cost, for the budgets. [COST7] */
  readonly price: ExpectedPrice
  /** What the provider's cache held of what it begins with; null where it begins with nothing of it. [CACHE4] */
  readonly cacheBefore: PromptCache | null
}

/** What came of one. */
export type BesideAnswer =
  | { readonly type: 'answered'; readonly result: StepResult }
  /** A stop came first. */
  | { readonly type: 'stopped' }
  /** A budget does not reach; nothing was asked. [COST7] */
  | { readonly type: 'over-budget'; readonly ending: Ending }

/**
 * Makes a request that is no part of the conversation: a summary, a title. Its answer and its usage are written down;
 * what it calls is never run. [CHK3, COST1]
 */
export async function askBeside(
  atWork: RunAtWork,
  purpose: 'checkpoint' | 'title',
  receipt: BesideRequest,
): Promise<BesideAnswer> {
  const { ports, log, runId, epoch, signal } = atWork
  const over = await judgeBudgets(atWork, receipt.price)
  if (over !== null) return { type: 'over-budget', ending: over }
  const askedAt = ports.clock.now()
  const stepId = await startStep(atWork, purpose, { ...receipt, notes: [] })
  if (stepId === null) return { type: 'stopped' }
  const { model, request, estimatedInputTokens, cacheBefore } = receipt
  const address = { conversationId: log.conversationId, runId, stepId, epoch }
  const result = await takeStep(atWork, { model, request, address })
  const { blocks, finish, error, cause } = result
  const about = { actor: ENGINE, runId, stepId }
  await log.append({ epoch, command: null, dropDraft: stepId }, () => {
    const isStopped = signal.aborted
    const outcome = isStopped ? ('stopped' as const) : finish === null ? ('failed' as const) : ('completed' as const)
    const cut = isStopped ? ('stopped' as const) : error ? ('failed' as const) : ('ended-early' as const)
    const end = finish === null ? { finish: 'cut' as const, cut } : { finish }
    const answer: NewEntry = { type: 'step-finished', ...about, blocks: [...blocks], ...end, purpose }
    const failure: NewEntry[] = error ? [{ type: 'step-failed', ...about, error: { ...error }, attempt: 1 }] : []
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
        ratio: ratioOf(log.requestState().ratios, billedTo(model), ports.estimator),
        billed: billedTo(model),
        usage: result.usage,
        cacheBreak: brokenCache({ request, result, cacheBefore, askedAt }, billedTo(model)),
        ended: finish !== null,
        refused: cause?.status != null && blocks.length === 0,
      }),
    ]
  })
  atWork.onDraft(null)
  return signal.aborted ? { type: 'stopped' } : { type: 'answered', result }
}
