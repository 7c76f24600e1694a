import { BUILDER_VERSION, canonicalText, marksText } from '@holdfast/context'
import type { AgentInUse, BesideSource, EntryOf, NewEntry, Overview } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import type { ModelChoice } from '../api/ports.ts'
import type { DraftAddress } from '../live/draft-writer.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { notedPrice } from './noted-price.ts'

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
  readonly notes: readonly NewEntry[]
  /** How a request beside the conversation is made; null for one of a turn. [RUN17] */
  readonly beside: BesideSource | null
}

/** A step that stands in the log. */
export type StartedStep = Pick<DraftAddress, 'stepId' | 'startedSeq'>

/**
 * Writes down that a request is made, with what it is estimated to hold: whatever happens then, its cost can be told.
 * [COST9] Null when a stop came first: then nothing is asked [STOP2]; or, for a request
 * composed from the log, when something came that makes it another one: then it is composed again, so
 * that the log up to here gives these bytes. [REQ1]
 *
 * @returns the id of the step, and where it began.
 */
export async function startStep(
  { ports, log, runId, epoch, signal }: RunAtWork,
  purpose: EntryOf<'step-started'>['purpose'],
  { model, request, anchors, windowStartSeq, estimatedInputTokens, composedFrom, notes, beside }: Receipt,
): Promise<StartedStep | null> {
  const stepId = ports.ids.next('step')
  const { settingLayers, settings } = log.overview()
  const hashes = ports.sha256Both({ text: canonicalText(request), more: marksText(request) })
  const started: NewEntry = {
    type: 'step-started',
    actor: ENGINE,
    runId,
    stepId,
    purpose,
    providerId: model.port.providerId,
    modelId: model.modelId,
    requestHash: hashes.ofAll,
    prefixHash: hashes.ofText,
    anchors: [...anchors],
    windowStartSeq,
    ...(request.toolChoice === 'none' ? { toolChoice: 'none' as const } : {}),
    builderVersion: BUILDER_VERSION,
    ...answeringAs(settingLayers.agent, settings.agentId),
    estimatedInputTokens,
    ...notedPrice(model.facts.price, estimatedInputTokens),
    maxOutputTokens: request.maxOutputTokens,
    thinkingBudgetTokens: request.thinkingBudgetTokens,
    windowTokens: model.facts.contextWindowTokens,
    ...(beside === null ? {} : { beside }),
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
  const last = entries.at(-1)
  if (last === undefined) return null
  await log.settle()
  return { stepId, startedSeq: last.seq }
}

/** Who answers, with the name that it has now; nobody where no agent was chosen. [AGENT4] */
function answeringAs(agent: AgentInUse | null, agentId: string | undefined): Pick<EntryOf<'step-started'>, 'agent'> {
  if (agentId === undefined) return {}
  if (agent?.agentId !== agentId) return { agent: { agentId, name: agentId } }
  const { name, avatar } = agent
  return { agent: { agentId, name, ...(avatar === null ? {} : { avatar }) } }
}
