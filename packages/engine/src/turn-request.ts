import { buildRequest } from '@holdfast/context'
import type { ModelRequest } from '@holdfast/provider'
import { entryAt } from './path-reader.ts'
import type { ModelChoice } from './ports.ts'
import type { Turn } from './turn.ts'

/** The request of a run's next step, from the log and from nothing else. [REQ1] */
export async function buildTurnRequest(
  { ports, log, path }: Turn,
  { model, thinkingOff }: { readonly model: ModelChoice; readonly thinkingOff: boolean },
): Promise<ModelRequest> {
  const state = log.overview()
  const { conversationId } = log
  const place = state.toolDefinitions
  const tools = place && (await entryAt(ports.store, { conversationId, seq: place.seq, type: 'tools-changed' }))
  const request = buildRequest({
    modelId: model.providerModelId,
    system: state.settings.instructions ?? '',
    entries: await path.entries(state),
  })
  return {
    ...request,
    tools: tools?.definitions ?? [],
    toolChoice: state.settings.toolMode === 'all-off' ? 'none' : 'auto',
    thinkingBudgetTokens: thinkingOff ? null : request.thinkingBudgetTokens,
  }
}

/** Why a request must not be sent, or null. [REQ1] */
export function requestProblem({ messages }: ModelRequest): string | null {
  return messages.length === 0 ? 'it has no messages' : null
}
