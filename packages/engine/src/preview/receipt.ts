import { receiptText } from '@holdfast/context'
import { type EntryLog, type EntryOf, entriesAfter, overview } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import type { NotRebuilt, RequestReceipt } from '../api/context-engine.ts'
import type { EnginePorts, ModelChoice } from '../api/ports.ts'
import { subAgentsOf } from '../chosen/sub-agents.ts'
import { createPathReader } from '../log/path-reader.ts'
import { requestState } from '../log/request-state.ts'
import type { ModelToAsk } from '../request/gather.ts'
import { lentRequest } from '../request/lent-request.ts'
import { composeSummary } from '../request/room/summary-composition.ts'
import { BEGINNING_ENTRIES, titleOfBeginning, titleOfWhole } from '../request/title-request.ts'
import { composeTurn, type TurnRequest } from '../request/turn-request.ts'
import { findStep, type PastStep } from './past-step.ts'

const PAGE = 500

/** What a past request is built from. */
export interface ReceiptPorts extends Pick<EnginePorts, 'models' | 'sha256' | 'settings'> {
  readonly store: Pick<EntryLog, 'read'>
}

/** Names a request of a conversation, or of one of its sub-agents'. */
export interface ReceiptQuestion {
  readonly conversationId: string
  readonly stepId: string
}

/**
 * A past request of a conversation, whatever it was for, built again from the log as it stood then, with what it cost.
 * `isExact` says whether it is the one that was sent, by its hash. [REQ1, RUN17]
 *
 * @returns null when neither the conversation nor a sub-agent of it made such a request.
 */
export async function receiptOf(ports: ReceiptPorts, asked: ReceiptQuestion): Promise<RequestReceipt | null> {
  const past = await findStep(ports.store, asked)
  if (past !== null) return receiptFrom(ports, past)
  for await (const conversationId of subAgentsOf(ports.store, asked.conversationId)) {
    const receipt = await receiptOf(ports, { conversationId, stepId: asked.stepId })
    if (receipt !== null) return receipt
  }
  return null
}

async function receiptFrom(ports: ReceiptPorts, past: PastStep): Promise<RequestReceipt> {
  const { started, usage, erasedSeqs } = past
  const { conversationId, stepId, runId, seq, at, purpose, providerId, modelId } = started
  const { requestHash, anchors, windowStartSeq, beside } = started
  const built = await rebuilt(ports, past)
  const request = built.type === 'built' ? built.request : null
  const isExact = request !== null && ports.sha256(receiptText(request)) === requestHash
  const about = { conversationId, stepId, runId, seq, at, purpose, providerId, modelId }
  const notRebuilt = built.type === 'built' ? null : built.reason
  const passed = beside?.type === 'passed' ? { path: beside.path, sizeBytes: beside.sizeBytes } : null
  return { ...about, request, notRebuilt, requestHash, isExact, anchors, windowStartSeq, passed, erasedSeqs, usage }
}

type Rebuilt =
  | { readonly type: 'built'; readonly request: ModelRequest }
  | { readonly type: 'not-built'; readonly reason: NotRebuilt }

async function rebuilt(ports: ReceiptPorts, past: PastStep): Promise<Rebuilt> {
  const { started } = past
  const { beside, purpose } = started
  if (beside?.type === 'passed') return notBuilt('passed-on')
  const model = ports.models().find(({ modelId }) => modelId === started.modelId)
  if (!model) return notBuilt('model-gone')
  if (purpose === 'turn') return built((await composedAt(ports, { past, model, toSeq: started.seq - 1 })).request)
  switch (beside?.type) {
    case undefined:
      return notBuilt('not-recorded')
    case 'lent': {
      const { maxOutputTokens = null } = started
      if (past.lends === null) return notBuilt('erased')
      return built(lentRequest(past.lends, { modelId: model.providerModelId, maxOutputTokens }))
    }
    case 'title': {
      const toSeq = beside.composedToSeq
      if (beside.of === 'whole')
        return built(titleOfWhole((await composedAt(ports, { past, model, toSeq })).frozen.request))
      const { conversationId } = started
      const { entries } = await ports.store.read({ conversationId, after: 0, limit: BEGINNING_ENTRIES })
      const beginning = entries.filter(({ seq }) => seq <= toSeq)
      return built(titleOfBeginning(model.providerModelId, beginning))
    }
    case 'summary': {
      const at = await composedAt(ports, { past, model, toSeq: beside.composedToSeq })
      const request = composeSummary(at, beside, past)
      return built({ ...request, maxOutputTokens: started.maxOutputTokens ?? null })
    }
  }
}

function built(request: ModelRequest): Rebuilt {
  return { type: 'built', request }
}

function notBuilt(reason: NotRebuilt): Rebuilt {
  return { type: 'not-built', reason }
}

interface Moment {
  readonly past: PastStep
  readonly model: ModelChoice
  /** The last entry that counts. */
  readonly toSeq: number
}

/** What a turn would have sent at a moment of the log. */
async function composedAt(ports: ReceiptPorts, { past: { started }, model, toSeq }: Moment): Promise<TurnRequest> {
  const { conversationId } = started
  let state = overview.initial
  let requests = requestState.initial
  const until = { conversationId, after: 0, to: toSeq, pageEntries: PAGE }
  for await (const { entries } of entriesAfter(ports.store, until)) {
    const before = entries.filter(({ seq }) => seq <= toSeq)
    state = overview.reduce(state, before)
    requests = requestState.reduce(requests, before)
  }
  const read: EntryLog['read'] = (query) => ports.store.read(query)
  const log = { conversationId, overview: () => state, requestState: () => requests, read }
  const path = createPathReader(log, conversationId)
  return composeTurn({ log, path }, { ports, model: asItWas(model, started), asked: askedBy(started) })
}

/** What the request asked for, as far as its receipt says so. */
function askedBy({ maxOutputTokens, thinkingBudgetTokens }: EntryOf<'step-started'>): NonNullable<ModelToAsk['asked']> {
  return {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(thinkingBudgetTokens === undefined ? {} : { thinkingBudgetTokens }),
  }
}

/** The window is that by which the request was made, whatever is known of the model now. [WIN8] */
function asItWas(model: ModelChoice, { windowTokens }: EntryOf<'step-started'>): ModelChoice {
  if (windowTokens === undefined) return model
  return { ...model, facts: { ...model.facts, contextWindowTokens: windowTokens } }
}
