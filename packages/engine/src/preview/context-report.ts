import { breakdownOf, type ComposedRequest, contextTokens, contextUse, thinkingLeftOut } from '@holdfast/context'
import { type NewEntry, type Overview, settingsNow } from '@holdfast/conversation'
import type { ContextReport } from '../api/context-engine.ts'
import type { EnginePorts, ModelChoice } from '../api/ports.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import { modelOf } from '../chosen/chosen-model.ts'
import { ENGINE } from '../log/engine-actor.ts'
import type { LiveLog } from '../log/live-log.ts'
import { createPathReader } from '../log/path-reader.ts'
import type { Gathered } from '../request/gather.ts'
import { composeForRoom } from '../request/room/move-window.ts'
import type { TurnRequest } from '../request/turn-request.ts'
import { agentContext } from './agent-context.ts'
import type { KnownContexts } from './known-contexts.ts'

/**
 * How full the window of a conversation is, and of what; null where there is no model. While calls are open it is what the
 * window holds with the answer that made them, and with those results that are there. [C1, COST4]
 */
export async function contextReport(
  { ports, contexts }: { readonly ports: EnginePorts; readonly contexts: KnownContexts },
  log: LiveLog,
): Promise<ContextReport | null> {
  const state = log.overview()
  if (state.head === 0) throw new UnknownConversationError(log.conversationId)
  const model = modelOf(ports.models(), state)
  if (model.type === 'missing') return null
  const { choice } = model
  return contexts.once({ log, model: choice, settings: settingsNow(ports.settings) }, () =>
    choice.port.takesTurnsOnly === true ? agentContext({ ports, log }, choice) : composedReport({ ports, log }, choice),
  )
}

async function composedReport(
  { ports, log }: { readonly ports: EnginePorts; readonly log: LiveLog },
  choice: ModelChoice,
): Promise<ContextReport> {
  const path = createPathReader(log, log.conversationId)
  let head = 0
  const emptyResultsAt = ({ state }: Gathered): readonly NewEntry[] => {
    head = state.head
    return emptyResults(state)
  }
  const added = { now: ports.clock.now(), of: emptyResultsAt }
  return reportOf(await composeForRoom({ log, path }, { ports, model: choice }, added), head)
}

/** A request cannot be composed without them; what they would add is not counted. */
function emptyResults({ runState: { exclusive } }: Overview): readonly NewEntry[] {
  if (exclusive === null) return []
  const { runId, openCalls } = exclusive
  return openCalls.map(({ stepId, callId, name }) => ({
    type: 'tool-call-settled',
    actor: ENGINE,
    runId,
    stepId,
    callId,
    name,
    outcome: 'ok',
    content: [],
    durationMs: 0,
  }))
}

function reportOf(at: TurnRequest, head: number): ContextReport {
  const { model, limits, path, ratio, toolSources, facts } = at
  const { modelId } = model
  const composed = heldBy(at.composed, head)
  const named = { providerId: model.port.providerId, modelId }
  const tokens = contextTokens({ composed, entries: path.entries, model: named, ratio, erasedAt: facts.unboundUntil })
  const use = contextUse(tokens, {
    windowTokens: limits?.windowTokens ?? null,
    reservedTokens: limits?.reservedOutputTokens ?? 0,
  })
  const breakdown = breakdownOf(composed, { modelId, ratio, totalTokens: use.usedTokens, toolSources })
  return {
    ...use,
    heldBy: 'conversation',
    breakdown,
    modelId,
    thinkingLeftOutSeqs: thinkingLeftOut(composed, path.entries),
  }
}

/** The request without messages that rest on nothing in the log. */
function heldBy(composed: ComposedRequest, head: number): ComposedRequest {
  const isHeld = (seqs: readonly number[]) => seqs.length === 0 || seqs.some((seq) => seq <= head)
  const messages = composed.messages.filter(({ seqs }) => isHeld(seqs))
  if (messages.length === composed.messages.length) return composed
  const request = { ...composed.request, messages: messages.map(({ message }) => message) }
  return { ...composed, request, messages }
}
