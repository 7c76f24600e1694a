import {
  applyDelta,
  type Draft,
  emptyDraft,
  type NewEntry,
  type OpenCall,
  type OpenRun,
  type Overview,
  type StoredDraft,
  sealDraft,
} from '@holdfast/conversation'
import type { LiveLog } from './live-log.ts'
import { holdAfter } from './next-input.ts'
import type { EnginePorts } from './ports.ts'
import { quietRequestOf } from './request-of.ts'
import { usageRecord } from './usage.ts'

const engine = { type: 'engine' } as const

/** Closes what is open in a log, under the epoch of its new owner. Doing it twice changes nothing. [RUN4] */
export async function closeOpenRuns(ports: EnginePorts, log: LiveLog, epoch: number): Promise<void> {
  const { store, models } = ports
  const { conversationId, overview } = log
  const drafts = await store.readDrafts(conversationId)
  const request = await quietRequestOf(store, { conversationId, state: overview(), providerId: '', modelId: '' })
  const priceOf = (modelId: string) => models.find((model) => model.modelId === modelId)?.price ?? 'unknown'
  const usageOf: LeftOpen['usageOf'] = ({ runId, purpose, stepId, providerId, modelId }, draft) =>
    usageRecord({
      runId,
      stepId,
      purpose,
      billed: { providerId, modelId, price: priceOf(modelId) },
      request,
      blocks: sealDraft(draft),
      usage: null,
      ended: false,
      outcome: 'interrupted',
    })
  const dropDraft = overview().runState.exclusive?.openStep?.stepId ?? null
  await log.append({ epoch, command: null, dropDraft }, (state) => closingEntries(state, { drafts, usageOf }))
}

/** A step without an end, and the run that it belongs to. */
export type OpenStepOfRun = Pick<OpenRun, 'runId' | 'purpose'> & NonNullable<OpenRun['openStep']>

/** What recovery needs to know beside the log's state. */
export interface LeftOpen {
  readonly drafts: readonly StoredDraft[]
  /** The usage record of an open step, from what its draft holds. */
  readonly usageOf: (step: OpenStepOfRun, draft: Draft) => NewEntry
}

/**
 * The entries that close what a crash left open: drafts are sealed as interrupted, calls without a result
 * are settled, every run gets its end. Nothing when nothing is open, so that doing it twice changes
 * nothing. [RUN4]
 */
function closingEntries(state: Overview, left: LeftOpen): NewEntry[] {
  const { exclusive, side } = state.runState
  const runs = [...(exclusive ? [exclusive] : []), ...side]
  if (runs.length === 0) return []
  return [...runs.flatMap((run) => closeRun(run, left)), ...holdAfter(state, 'interrupted')]
}

/** The open step as it was published, from its stored deltas. */
function storedDraft(stepId: string, drafts: readonly StoredDraft[]): Draft {
  const deltas = drafts.find((draft) => draft.stepId === stepId)?.deltas ?? []
  return deltas.reduce((draft, delta) => applyDelta(draft, delta).draft, emptyDraft(stepId))
}

function closeRun(run: OpenRun, left: LeftOpen): NewEntry[] {
  const { runId } = run
  return [
    ...(run.openStep ? closeStep({ ...run.openStep, runId, purpose: run.purpose }, left) : []),
    ...run.openCalls.map((call) => settleCall(runId, call)),
    ...run.openRequestIds.map(cancelRequest),
    {
      type: 'run-finished',
      actor: engine,
      runId,
      outcome: 'interrupted',
      reason: 'The server stopped before the reply ended.',
    },
  ]
}

function closeStep(step: OpenStepOfRun, left: LeftOpen): NewEntry[] {
  const { runId, stepId } = step
  const draft = storedDraft(stepId, left.drafts)
  return [
    {
      type: 'step-finished',
      actor: engine,
      runId,
      stepId,
      blocks: sealDraft(draft),
      finish: 'cut',
      cut: 'interrupted',
    },
    left.usageOf(step, draft),
  ]
}

/** A call that never started did nothing; of one that did, nobody knows. It is not started again. [TOOL6] */
function settleCall(runId: string, { callId, stepId, name, started }: OpenCall): NewEntry {
  const text = started
    ? 'The server stopped while this tool ran. It may have taken effect; nobody knows.'
    : 'The server stopped before this tool started. It did not run.'
  return {
    type: 'tool-call-settled',
    actor: engine,
    runId,
    stepId,
    callId,
    name,
    outcome: started ? 'unknown' : 'not-started',
    content: [{ type: 'text', text }],
    durationMs: 0,
  }
}

function cancelRequest(requestId: string): NewEntry {
  return { type: 'permission-settled', actor: engine, requestId, outcome: 'cancelled', by: 'recovery' }
}
