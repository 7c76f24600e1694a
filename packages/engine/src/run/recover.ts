import { ratioOf } from '@holdfast/context'
import {
  type AnswerBlock,
  applyDelta,
  type Draft,
  emptyDraft,
  type NewEntry,
  type OpenRun,
  type OpenStep,
  type Overview,
  type StoredDraft,
  sealDraft,
} from '@holdfast/conversation'
import type { ModelPrice } from '@holdfast/provider'
import type { FileChange } from '@holdfast/tool'
import type { Ending } from '../api/ending.ts'
import type { EnginePorts } from '../api/ports.ts'
import { callOffQuestions, endRun, halfCallsOf, neverBegun, settleUnfinished } from '../live/end-run.ts'
import { stopEnding } from '../live/stop-ending.ts'
import { ENGINE } from '../log/engine-actor.ts'
import type { LiveLog } from '../log/live-log.ts'
import { pricesOfOpen } from '../request/noted-price.ts'
import { usageRecord } from '../request/usage.ts'
import { COUNTED_ELSEWHERE, isCountedElsewhere } from './counted-elsewhere.ts'

/**
 * Closes what an owner that is gone left open in a log, under the epoch of its new owner. Doing it twice changes
 * nothing. A run that only a person can bring on stays open: its calls that ran are settled, its request stays. [RUN4]
 */
export async function closeOpenRuns(ports: EnginePorts, log: LiveLog, epoch: number): Promise<void> {
  const { store } = ports
  const { exclusive, side } = log.overview().runState
  if (exclusive === null && side.length === 0) return
  const drafts = await store.readDrafts(log.conversationId)
  const changed = await changesLeft(ports, log)
  const open = [...(exclusive ? [exclusive] : []), ...side]
  const steps = open.flatMap(({ openStep, lentSteps }) => [...(openStep ? [openStep] : []), ...lentSteps])
  const stepIds = new Set(steps.map(({ stepId }) => stepId))
  const prices = await pricesOfOpen(store, { conversationId: log.conversationId, stepIds })
  const left = { ports, log, drafts, prices, countedStepId: await countedElsewhere(ports, log) }
  const dropDraft = exclusive?.openStep?.stepId ?? null
  await log.append({ epoch, command: null, dropDraft }, (state) => {
    const runs = [...(state.runState.exclusive ? [state.runState.exclusive] : []), ...state.runState.side]
    return runs.flatMap((run) => [
      ...run.lentSteps.map((step) => closeLent(run, step, left)),
      ...changedIn(run, changed),
      ...(staysOpen(run) ? settleStarted(state, run) : closeRun(state, run, left)),
    ])
  })
}

/** The open piece of an agent's prompt whose requests have records of their own; null for none. */
async function countedElsewhere({ store, models }: EnginePorts, log: LiveLog): Promise<string | null> {
  const step = log.overview().runState.exclusive?.openStep
  const isPiece = step && models().find(({ modelId }) => modelId === step.modelId)?.port.takesTurnsOnly === true
  return isPiece && (await isCountedElsewhere(store, log.conversationId)) ? step.stepId : null
}

/** What the calls changed during which the owner was killed. It cannot be told which of them: the last one stands for all. */
interface ChangesLeft {
  readonly callId: string
  readonly changes: readonly FileChange[]
}

async function changesLeft(ports: EnginePorts, log: LiveLog): Promise<ChangesLeft | null> {
  const { runState, settings, ownerId } = log.overview()
  const runs = [...(runState.exclusive ? [runState.exclusive] : []), ...runState.side]
  const started = runs.flatMap(({ openCalls }) => openCalls.filter((call) => call.started))
  const last = started.at(-1)
  if (last === undefined || ownerId === null || !ports.changesLeftBy) return null
  const { conversationId } = log
  const callIds = started.map(({ callId }) => callId)
  const changes = await ports.changesLeftBy({ conversationId, ownerId, settings, callIds })
  if (changes.length === 0) return null
  // What the call had read when its process was killed is not known: its words may be a stranger's.
  await ports.strangersFiles?.note({ conversationId, ownerId, settings, changes, how: 'brought', by: last.name })
  return { callId: last.callId, changes }
}

function changedIn({ runId, openCalls }: OpenRun, changed: ChangesLeft | null): NewEntry[] {
  if (changed === null || !openCalls.some(({ callId }) => callId === changed.callId)) return []
  return [{ type: 'files-changed', actor: ENGINE, runId, callId: changed.callId, changes: [...changed.changes] }]
}

/** A person was asked about a call of the run that has not run, or its client runs one: the answer, given or to come, decides. */
function staysOpen({ openCalls, openStep, isHandedBack, stopRequestedAt }: OpenRun): boolean {
  if (stopRequestedAt !== null) return false
  if (isHandedBack && openCalls.length === 0 && openStep === null) return true
  return openCalls.some(({ request, started, handedOverAt }) => handedOverAt !== null || (request !== null && !started))
}

/** The question of a call that is gone ends with it. [TOOL11] */
function settleStarted(state: Overview, { runId, openCalls }: OpenRun): NewEntry[] {
  return openCalls
    .filter(({ started, handedOverAt }) => started && handedOverAt === null)
    .flatMap((call) => [
      ...callOffQuestions(state, { runId, callId: call.callId }, 'recovery'),
      settleUnfinished(runId, call, { stopper: null, lost: true }),
    ])
}

interface LeftOpen {
  readonly ports: EnginePorts
  readonly log: LiveLog
  readonly drafts: readonly StoredDraft[]
  /** What the log notes of the steps; of one from before that was noted nothing. */
  readonly prices: ReadonlyMap<string, ModelPrice | null>
  /** The step that is not billed a second time; null for none. [AGENT13] */
  readonly countedStepId: string | null
}

function closeRun(state: Overview, run: OpenRun, left: LeftOpen): NewEntry[] {
  const { openStep } = run
  const draft = openStep ? storedDraft(openStep.stepId, left.drafts) : null
  const blocks = draft ? sealDraft(draft) : []
  // Calls of a step that never ended were never open; what a summary or a title asks for is never called.
  const answered = openStep?.purpose === 'turn' ? blocks : []
  const made = openStep === null ? [] : neverBegun(openStep.stepId, answered)
  const ended = { ...run, openCalls: [...run.openCalls, ...made] }
  return [
    ...(draft ? closeStep(run, draft, left) : []),
    ...endRun(state, ended, {
      ending: endingOf(state, run),
      cutAnswer: answered.length > 0,
      halfCalls: halfCallsOf(answered),
      lost: true,
    }),
  ]
}

/** A stop that was acknowledged counts, whatever happened to the process. [STOP1] */
function endingOf(state: Overview, run: OpenRun): Ending {
  if (run.stopRequestedAt !== null) return stopEnding(state, run)
  return { outcome: 'interrupted', reason: 'The server stopped before the reply ended.' }
}

function closeStep(run: OpenRun, draft: Draft, left: LeftOpen): NewEntry[] {
  const { runId, openStep } = run
  if (!openStep) return []
  const { stepId, purpose } = openStep
  const aside = purpose === 'title' || purpose === 'checkpoint' ? { purpose } : {}
  const blocks = sealDraft(draft)
  return [
    { type: 'step-finished', actor: ENGINE, runId, stepId, blocks, finish: 'cut', cut: 'interrupted', ...aside },
    usageOf(run, openStep, { blocks, left }),
  ]
}

/** What a call was lent has no draft: of its answer nobody knows anything. [COST9] */
function closeLent(run: OpenRun, step: OpenStep, left: LeftOpen): NewEntry {
  return usageOf(run, step, { blocks: [], left })
}

/** What a request of which only its beginning is known is estimated to have cost. [STOP8] */
function usageOf(
  { runId }: OpenRun,
  { stepId, providerId, modelId, estimatedInputTokens, purpose }: OpenStep,
  {
    blocks,
    left: { ports, log, prices, countedStepId },
  }: { readonly blocks: readonly AnswerBlock[]; readonly left: LeftOpen },
): NewEntry {
  const known = () => ports.models().find((model) => model.modelId === modelId)?.facts.price ?? null
  const noted = prices.get(stepId)
  const price = noted === undefined ? known() : noted
  return usageRecord({
    runId,
    stepId,
    purpose,
    estimatedInputTokens,
    blocks,
    outcome: 'interrupted',
    billed: { providerId, modelId, price },
    ratio: ratioOf(log.requestState().ratios, { providerId, modelId }, ports.estimator),
    usage: stepId === countedStepId ? COUNTED_ELSEWHERE : null,
    cacheBreak: null,
    ended: false,
    cause: null,
  })
}

/** The open step as it was published, from its stored deltas. */
function storedDraft(stepId: string, drafts: readonly StoredDraft[]): Draft {
  const deltas = drafts.find((draft) => draft.stepId === stepId)?.deltas ?? []
  return deltas.reduce((draft, delta) => applyDelta(draft, delta).draft, emptyDraft(stepId))
}
