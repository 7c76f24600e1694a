import { buildRequest, validateRequest } from '@holdfast/context'
import type { ConversationSettings, EntryOf } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import { entryAt } from './path-reader.ts'
import type { ModelChoice } from './ports.ts'
import type { Turn } from './turn.ts'

/** Characters of one text above which the model is sent an excerpt. [DEFAULTS] */
export const ITEM_LIMIT_CHARS = 50_000

/** The request of a run's next step, from the log and from nothing else. [REQ1] */
export async function buildTurnRequest(
  { ports, log, path }: Turn,
  { model, thinkingOff }: { readonly model: ModelChoice; readonly thinkingOff: boolean },
): Promise<ModelRequest> {
  const state = log.overview()
  const { conversationId } = log
  const place = state.toolDefinitions
  const tools = place && (await entryAt(ports.store, { conversationId, seq: place.seq, type: 'tools-changed' }))
  const { entries, facts } = await path.read(state)
  const { thinkingBudgetTokens, maxOutputTokens, parameters } = parametersOf(state.settings, model)
  return buildRequest({
    providerId: model.port.providerId,
    modelId: model.modelId,
    providerModelId: model.providerModelId,
    settings: {
      system: state.settings.instructions ?? '',
      parameters,
      thinkingBudgetTokens: thinkingOff ? null : thinkingBudgetTokens,
      maxOutputTokens,
      toolChoice: state.settings.toolMode === 'all-off' ? 'none' : 'auto',
      itemLimitChars: ITEM_LIMIT_CHARS,
    },
    tools: tools?.definitions ?? [],
    facts,
    entries,
    carried: entries.filter((entry): entry is EntryOf<'user-message-sent'> => entry.type === 'user-message-sent'),
  })
}

/** What is set for the model; two names are ours, the others are the provider's. */
function parametersOf({ parameters = {} }: ConversationSettings, { facts }: ModelChoice) {
  const { thinkingBudgetTokens, maxOutputTokens, ...others } = parameters
  return {
    thinkingBudgetTokens: typeof thinkingBudgetTokens === 'number' ? thinkingBudgetTokens : null,
    maxOutputTokens: typeof maxOutputTokens === 'number' ? maxOutputTokens : facts.maxOutputTokens,
    parameters: others,
  }
}

/** Why a request must not be sent, or null. [REQ1] */
export function requestProblem(request: ModelRequest): string | null {
  const violations = validateRequest(request)
  return violations.length === 0 ? null : violations.map(({ text }) => text).join('; ')
}
