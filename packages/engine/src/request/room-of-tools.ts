import { findingFor, ratioOf, type ToolRoom, tokenRatios, toolRoom, windowThatCounts } from '@holdfast/context'
import { type Overview, settingsNow, settingsOfConversation } from '@holdfast/conversation'
import type { EnginePorts } from '../api/ports.ts'
import { modelOf } from '../chosen/chosen-model.ts'
import type { RequestState } from '../log/request-state.ts'
import { answerLimits, windowLimits } from './model-settings.ts'
import { billedTo } from './usage.ts'

/** The room that the model of a conversation has for tools; null where there is no model, or nobody knows its window. [WIN17] */
export function roomOfTools(
  ports: Pick<EnginePorts, 'models' | 'settings' | 'estimator'>,
  { findings }: RequestState,
  state: Overview,
): ToolRoom | null {
  const chosen = modelOf(ports.models(), state)
  if (chosen.type === 'missing') return null
  const { choice } = chosen
  const told = choice.facts.contextWindowTokens
  const contextWindowTokens = windowThatCounts(findingFor(findings, billedTo(choice)), told)
  const facts = { ...choice.facts, contextWindowTokens }
  const installation = settingsNow(ports.settings)
  const answer = answerLimits(installation, { own: state.settings, facts })
  const limits = windowLimits(settingsOfConversation(installation, state.settings), facts, answer)
  if (limits === null) return null
  const named = { providerId: choice.port.providerId, modelId: choice.modelId }
  const ratio = ratioOf(tokenRatios.initial, named, ports.estimator)
  return toolRoom(limits, { system: state.settings.instructions ?? '', ratio })
}
