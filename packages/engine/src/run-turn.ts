import { BUILDER_VERSION, canonicalText } from '@holdfast/context'
import type { Draft, NewEntry, Overview } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import type { DraftWriter } from './draft-writer.ts'
import type { LiveLog } from './live-log.ts'
import { holdAfter, nextInput } from './next-input.ts'
import type { EnginePorts, ModelChoice } from './ports.ts'
import { requestOf } from './request-of.ts'
import { type StepResult, takeStep } from './take-step.ts'
import { billedTo, usageRecord } from './usage.ts'

/** What a turn needs. */
export interface TurnContext {
  readonly ports: EnginePorts
  readonly log: LiveLog
  readonly writer: DraftWriter
  readonly runId: string
  readonly epoch: number
  /** Aborted by a stop, a shutdown or a lost lease. */
  readonly signal: AbortSignal
  /** Aborted when the source is no longer waited for. [STOP10] */
  readonly cut: AbortSignal
  readonly onDraft: (draft: Draft | null) => void
}

const engine = { type: 'engine' } as const

/** What the model is told of a reply that a person stopped. [STOP7] */
const STOP_NOTE = 'The person stopped your reply above before it ended. What stands there is all of it that was shown.'

/**
 * Answers one input: takes it from the queue, asks the model, and closes the run with exactly one end. [RUN1]
 *
 * Does nothing when there is no input by the time the log is written. What throws is a lost store, a lost
 * lease or a defect; recovery closes such a run. [RUN4]
 */
export async function runTurn(context: TurnContext): Promise<void> {
  const { log, runId, epoch } = context
  const started = await log.append({ epoch, command: null, dropDraft: null }, (state) => {
    const input = nextInput(state, context.ports.clock.now())
    if (!input) return []
    const { inputId, content } = input
    return [
      { type: 'run-started', actor: engine, runId, purpose: 'turn' },
      { type: 'user-message-sent', actor: engine, runId, inputId, content: [...content] },
    ]
  })
  if (started.entries.length === 0) return

  const model = modelOf(context.ports, log.overview())
  if (!model) return failBeforeStep(context)
  const request = await requestOf(context.ports.store, {
    conversationId: log.conversationId,
    state: log.overview(),
    providerId: model.port.providerId,
    modelId: model.modelId,
  })
  const stepId = await startStep(context, model, request)
  const result = await takeStep({ ...context, model, request, address: addressOf(context, stepId) })
  await finish(context, { stepId, model, request, result })
}

/** There is nothing to ask; a model is never replaced by itself. [RUN13] */
async function failBeforeStep({ log, runId, epoch }: TurnContext): Promise<void> {
  await log.append({ epoch, command: null, dropDraft: null }, (state) => {
    const chosen = state.settings.modelId
    const reason =
      chosen === undefined ? 'There is no model; connect one.' : `There is no model ${chosen}; choose another.`
    return [{ type: 'run-finished', actor: engine, runId, outcome: 'failed', reason }, ...holdAfter(state, 'failed')]
  })
}

async function startStep(
  { ports, log, runId, epoch }: TurnContext,
  model: ModelChoice,
  request: ModelRequest,
): Promise<string> {
  const stepId = ports.ids.next('step')
  const requestHash = ports.sha256(canonicalText(request))
  await log.append({ epoch, command: null, dropDraft: null }, () => [
    {
      type: 'step-started',
      actor: engine,
      runId,
      stepId,
      purpose: 'turn',
      providerId: model.port.providerId,
      modelId: model.modelId,
      requestHash,
      prefixHash: requestHash,
      anchors: [],
      windowStartSeq: 1,
      builderVersion: BUILDER_VERSION,
    },
  ])
  return stepId
}

interface EndedStep {
  readonly stepId: string
  readonly model: ModelChoice
  readonly request: ModelRequest
  readonly result: StepResult
}

/** The step's answer, its usage and the run's end, in one append: no reader sees one without the others. [LOG3] */
async function finish(context: TurnContext, ended: EndedStep): Promise<void> {
  const { log, writer, runId, epoch, signal } = context
  const { stepId, model, request, result } = ended
  writer.drop(stepId)
  await log.append({ epoch, command: null, dropDraft: stepId }, (state) => {
    const outcome = outcomeOf(state, signal, result)
    const usage = usageRecord({
      runId,
      stepId,
      purpose: 'turn',
      billed: billedTo(model),
      request,
      blocks: result.blocks,
      usage: result.usage,
      ended: result.finish !== null,
      outcome,
    })
    return [
      ...answerOf(runId, stepId, outcome, result),
      usage,
      ...(outcome === 'stopped' ? [{ type: 'stop-noted' as const, actor: engine, runId, text: STOP_NOTE }] : []),
      { type: 'run-finished', actor: engine, runId, outcome, ...reasonOf(outcome, result) },
      ...holdAfter(state, outcome),
    ]
  })
  context.onDraft(null)
}

type Outcome = 'completed' | 'stopped' | 'failed' | 'interrupted'

/** A stop that is in the log counts, even if the answer ended by itself in the meantime. [STOP1] */
function outcomeOf(state: Overview, signal: AbortSignal, result: StepResult): Outcome {
  if (state.runState.exclusive && state.runState.exclusive.stopRequestedAt !== null) return 'stopped'
  if (signal.aborted) return 'interrupted'
  if (result.error || result.finish === null) return 'failed'
  return 'completed'
}

function answerOf(
  runId: string,
  stepId: string,
  outcome: Outcome,
  { blocks, finish: own, error }: StepResult,
): NewEntry[] {
  const ended = own === null ? { finish: 'cut' as const, cut: cutOf(outcome, error) } : { finish: own }
  const answer: NewEntry = { type: 'step-finished', actor: engine, runId, stepId, blocks: [...blocks], ...ended }
  if (!error) return [answer]
  const failure: NewEntry = { type: 'step-failed', actor: engine, runId, stepId, error: { ...error }, attempt: 1 }
  return blocks.length > 0 ? [answer, failure] : [failure]
}

function cutOf(outcome: Outcome, error: StepResult['error']): 'stopped' | 'interrupted' | 'failed' | 'ended-early' {
  if (outcome === 'stopped' || outcome === 'interrupted') return outcome
  return error ? 'failed' : 'ended-early'
}

function reasonOf(outcome: Outcome, { error }: StepResult): { reason?: string } {
  if (error) return { reason: error.message }
  return outcome === 'failed' ? { reason: 'The provider broke off before the end of its answer.' } : {}
}

/** The model that is set for the conversation, else the first there is; null when it is not there. */
function modelOf({ models }: EnginePorts, state: Overview): ModelChoice | null {
  const chosen = state.settings.modelId
  return (chosen === undefined ? models[0] : models.find(({ modelId }) => modelId === chosen)) ?? null
}

function addressOf({ log, runId, epoch }: TurnContext, stepId: string) {
  return { conversationId: log.conversationId, runId, stepId, epoch }
}
