import { ratioOf, textTokens } from '@holdfast/context'
import type { NewEntry, Overview } from '@holdfast/conversation'
import type { OpenPass, PassedOutcome, PassRefused, RequestToPass } from '../api/gateway-engine.ts'
import { cutBy } from '../live/end-run.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { judgeBudgets } from '../request/budget.ts'
import { notedPrice } from '../request/noted-price.ts'
import { priceAlone } from '../request/price-beside.ts'
import { usageRecord } from '../request/usage.ts'

/** Of requests that are passed on no builder of ours knows. */
const NO_BUILDER = 1

/** Lets a request of what a run works with be made, within the budgets and as long as nobody stops it. [AGENT8] */
export async function passRequest(atWork: RunAtWork | null, asked: RequestToPass): Promise<OpenPass | PassRefused> {
  if (atWork === null)
    return refused('no-run', 'No reply of this conversation is running; send it a message to let its agent ask a model')
  if (atWork.signal.aborted) return stopped()
  const leave = atWork.besides.enter()
  if (leave === null) return refused('no-run', 'The reply of this conversation has just ended')
  try {
    const opened = await open(atWork, asked, leave)
    if (opened.type === 'refused') leave()
    return opened
  } catch (error) {
    leave()
    throw error
  }
}

async function open(atWork: RunAtWork, asked: RequestToPass, leave: () => void): Promise<OpenPass | PassRefused> {
  const { ports, log, runId, epoch, besides } = atWork
  const { billed, words, maxOutputTokens, bodyHash, path, sizeBytes } = asked
  const ratio = ratioOf(log.requestState().ratios, billed, ports.estimator)
  const estimatedInputTokens = textTokens(words, ratio)
  const most = { promptTokens: estimatedInputTokens, mostAnswerTokens: maxOutputTokens }
  const over = await judgeBudgets(atWork, priceAlone({ facts: billed }, most))
  if (over !== null) return refused('budget', over.reason ?? 'A budget does not reach')
  const stepId = ports.ids.next('step')
  const signal = AbortSignal.any([atWork.signal, besides.signal])
  const started: NewEntry = {
    type: 'step-started',
    actor: ENGINE,
    runId,
    stepId,
    purpose: 'gateway',
    providerId: billed.providerId,
    modelId: billed.modelId,
    requestHash: bodyHash,
    prefixHash: bodyHash,
    anchors: [],
    windowStartSeq: 1,
    builderVersion: NO_BUILDER,
    estimatedInputTokens,
    ...notedPrice(billed.price, estimatedInputTokens),
    maxOutputTokens,
    beside: { type: 'passed', path, sizeBytes },
  }
  const { entries } = await log.append({ epoch, command: null, dropDraft: null }, (state) =>
    isOpen(state, runId) && !signal.aborted ? [started] : [],
  )
  if (entries.length === 0) return stopped()
  await log.settle()
  const made = { asked, stepId, ratio, estimatedInputTokens }
  return {
    type: 'open',
    stepId,
    signal,
    async record(outcome) {
      try {
        await write(atWork, made, outcome)
      } finally {
        leave()
      }
    },
  }
}

interface MadePass {
  readonly asked: RequestToPass
  readonly stepId: string
  readonly ratio: number
  readonly estimatedInputTokens: number
}

/** Code of the notice that says why what a run works with gets no answers. */
const NOT_ANSWERED = 'gateway-failed'
/** Runs in which it was said: an agent that asks again and again would say nothing else. */
const told = new WeakSet<RunAtWork['besides']>()

async function write(
  { log, runId, epoch, signal, besides }: RunAtWork,
  { asked: { billed }, stepId, ratio, estimatedInputTokens }: MadePass,
  { usage, heard, ended, status, failure }: PassedOutcome,
): Promise<void> {
  const blocks = heard === '' ? [] : [{ type: 'text' as const, text: heard }]
  const outcomeOf = (state: Overview) => {
    if (ended) return 'completed'
    if (signal.aborted) return cutBy({ runId }, state)
    // The run has ended before it, or whoever asked has left.
    if (besides.signal.aborted || failure === null) return 'stopped'
    return 'failed'
  }
  await log.append({ epoch, command: null, dropDraft: null }, (state) => {
    const outcome = outcomeOf(state)
    const record = usageRecord({
      runId,
      stepId,
      purpose: 'gateway',
      billed,
      estimatedInputTokens,
      blocks,
      ratio,
      usage,
      cacheBreak: null,
      ended,
      cause: failure,
      outcome,
    })
    const recorded = status === null ? record : { ...record, status }
    if (outcome !== 'failed' || failure === null || told.has(besides)) return [recorded]
    const text = `A request of the agent was not answered: ${failure.message.replace(/\.$/, '')}. It may ask again by itself.`
    return [
      recorded,
      { type: 'notice-raised', actor: ENGINE, code: NOT_ANSWERED, severity: 'warning', runId, text } as const,
    ]
  })
  if (failure !== null) told.add(besides)
}

function isOpen({ runState: { exclusive } }: Overview, runId: string): boolean {
  return exclusive?.runId === runId && exclusive.stopRequestedAt === null
}

function stopped(): PassRefused {
  return refused('stopped', 'A person stopped this reply; nothing more is asked before the next one')
}

function refused(why: PassRefused['why'], reason: string): PassRefused {
  return { type: 'refused', why, reason }
}
