import { breakdownOf, contextUse, thinkingLeftOut } from '@holdfast/context'
import { settingsNow } from '@holdfast/conversation'
import type { ContextReport } from '../api/context-engine.ts'
import type { EnginePorts, ModelChoice } from '../api/ports.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import { modelOf } from '../chosen/chosen-model.ts'
import type { LiveLog } from '../log/live-log.ts'
import { createPathReader } from '../log/path-reader.ts'
import { composeTurn, type TurnRequest } from '../request/turn-request.ts'
import type { KnownContexts } from './known-contexts.ts'

/** How full the window of a conversation is, and of what; null while calls are open or where there is no model. [C1] */
export async function contextReport(
  { ports, contexts }: { readonly ports: EnginePorts; readonly contexts: KnownContexts },
  log: LiveLog,
): Promise<ContextReport | null> {
  const state = log.overview()
  if (state.head === 0) throw new UnknownConversationError(log.conversationId)
  const model = modelOf(ports.models(), state)
  const isBusy = (state.runState.exclusive?.openCalls.length ?? 0) > 0
  if (model.type === 'missing' || isBusy) return null
  return contexts.once({ log, model: model.choice, settings: settingsNow(ports.settings) }, () =>
    composedReport({ ports, log }, model.choice),
  )
}

async function composedReport(
  { ports, log }: { readonly ports: EnginePorts; readonly log: LiveLog },
  choice: ModelChoice,
): Promise<ContextReport> {
  const path = createPathReader(log, log.conversationId)
  return reportOf(await composeTurn({ log, path }, { ports, model: choice }))
}

function reportOf(at: TurnRequest): ContextReport {
  const { model, tokens, limits, composed, path, ratio, toolSources } = at
  const use = contextUse(tokens, {
    windowTokens: limits?.windowTokens ?? null,
    reservedTokens: limits?.reservedOutputTokens ?? 0,
  })
  const breakdown = breakdownOf(composed, {
    modelId: model.modelId,
    ratio,
    totalTokens: use.usedTokens,
    toolSources,
  })
  const thinkingLeftOutSeqs = thinkingLeftOut(composed, path.entries)
  return { ...use, breakdown, modelId: model.modelId, thinkingLeftOutSeqs }
}
