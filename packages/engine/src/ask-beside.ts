import { BUILDER_VERSION, canonicalText, type PromptCache, ratioOf, receiptText } from '@holdfast/context'
import type { AgentInUse, EntryOf, NewEntry, Overview } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import { type ExpectedPrice, judgeBudgets } from './budget.ts'
import type { Ending } from './ending.ts'
import { brokenCache } from './finish-step.ts'
import type { ModelChoice } from './ports.ts'
import { type StepResult, takeStep } from './take-step.ts'
import { ENGINE, type Turn } from './turn.ts'
import { billedTo, usageRecord } from './usage.ts'

/** A request as its receipt has it. [REQ1] */
export interface Receipt {
  readonly model: ModelChoice
  readonly request: ModelRequest
  readonly anchors: readonly number[]
  readonly windowStartSeq: number
  readonly estimatedInputTokens: number
  /** The state of the log that it was composed from; absent for what stands beside the conversation. */
  readonly composedFrom?: Overview
  /** What that state holds at its end and the log does not: it is written with the request. */
  readonly notes?: readonly NewEntry[]
}

/**
 * Writes down that a request is made. Null when a stop came first: then nothing is asked [STOP2]; or, for a request
 * composed from the log, when something came that makes it another one: then it is composed again, so
 * that the log up to here gives these bytes. [REQ1]
 *
 * @returns the id of the step.
 */
export async function startStep(
  { ports, log, runId, epoch, signal }: Turn,
  purpose: EntryOf<'step-started'>['purpose'],
  { model, request, anchors, windowStartSeq, estimatedInputTokens, composedFrom, notes = [] }: Receipt,
): Promise<string | null> {
  const stepId = ports.ids.next('step')
  const { settingLayers, settings } = log.overview()
  const started: NewEntry = {
    ...{ type: 'step-started', actor: ENGINE, runId, stepId, purpose },
    providerId: model.port.providerId,
    modelId: model.modelId,
    requestHash: ports.sha256(receiptText(request)),
    prefixHash: ports.sha256(canonicalText(request)),
    anchors: [...anchors],
    windowStartSeq,
    ...(request.toolChoice === 'none' ? { toolChoice: 'none' as const } : {}),
    builderVersion: BUILDER_VERSION,
    ...answeringAs(settingLayers.agent, settings.agentId),
    estimatedInputTokens,
  }
  const { entries } = await log.append({ epoch, command: null, dropDraft: null }, (state) => {
    const isOutdated =
      composedFrom !== undefined &&
      (state.settings !== composedFrom.settings ||
        state.toolDefinitions !== composedFrom.toolDefinitions ||
        // A note has the place that the request says, or the request is another one.
        (notes.length > 0 && state.head + notes.length !== composedFrom.head))
    return signal.aborted || isOutdated ? [] : [...notes, started]
  })
  return entries.length === 0 ? null : stepId
}

/** Who answers, with the name that it has now; nobody where no agent was chosen. [AGENT4] */
function answeringAs(agent: AgentInUse | null, agentId: string | undefined): Pick<EntryOf<'step-started'>, 'agent'> {
  if (agentId === undefined) return {}
  if (agent?.agentId !== agentId) return { agent: { agentId, name: agentId } }
  const { name, avatar } = agent
  return { agent: { agentId, name, ...(avatar === null ? {} : { avatar }) } }
}

/** A request that is no part of the conversation. */
export interface BesideRequest extends Receipt {
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
  turn: Turn,
  purpose: 'checkpoint' | 'title',
  receipt: BesideRequest,
): Promise<BesideAnswer> {
  const { ports, log, runId, epoch, signal } = turn
  const over = await judgeBudgets(turn, receipt.price)
  if (over !== null) return { type: 'over-budget', ending: over }
  const askedAt = ports.clock.now()
  const stepId = await startStep(turn, purpose, receipt)
  if (stepId === null) return { type: 'stopped' }
  const { model, request, estimatedInputTokens, cacheBefore } = receipt
  const address = { conversationId: log.conversationId, runId, stepId, epoch }
  const result = await takeStep({ ...turn, model, request, address })
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
        ...{ runId, stepId, purpose, estimatedInputTokens, blocks, outcome },
        ratio: ratioOf(log.requestState().ratios, billedTo(model)),
        billed: billedTo(model),
        usage: result.usage,
        cacheBreak: brokenCache({ request, result, cacheBefore, askedAt }, billedTo(model)),
        ended: finish !== null,
        refused: cause?.status != null && blocks.length === 0,
      }),
    ]
  })
  turn.onDraft(null)
  return signal.aborted ? { type: 'stopped' } : { type: 'answered', result }
}
