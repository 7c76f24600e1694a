import { EXTERNAL_AGENT, type Overview } from '@holdfast/conversation'
import type { ModelChoice } from '../api/ports.ts'

/** What there is to ask, or why there is nothing. */
export type Chosen =
  | { readonly type: 'found'; readonly choice: ModelChoice }
  | { readonly type: 'missing'; readonly reason: string }

/** The model that is set for the conversation, else the first there is. It is never replaced by itself. [RUN13] */
export function modelOf(models: readonly ModelChoice[], { settings }: Overview): Chosen {
  const chosen = settings.modelId
  const choice = chosen === undefined ? models[0] : models.find(({ modelId }) => modelId === chosen)
  if (choice) return { type: 'found', choice }
  if (chosen === undefined) return { type: 'missing', reason: 'There is no model; connect one.' }
  return { type: 'missing', reason: chosen.startsWith(EXTERNAL_AGENT) ? goneProgram(chosen) : goneModel(chosen) }
}

function goneModel(modelId: string): string {
  return `There is no model ${modelId}; choose another.`
}

/** [AGENT63] */
function goneProgram(modelId: string): string {
  const agentId = modelId.slice(EXTERNAL_AGENT.length)
  return `The external agent ${agentId} is not on this server: its program is not there any more, or it was removed. Install it, or choose another agent.`
}

/** The model that is asked beside the turns of a conversation: its own, or the first there is where an agent answers it. [AGENT1] */
export function modelBeside(models: readonly ModelChoice[], state: Overview): Chosen {
  const chosen = modelOf(models, state)
  if (chosen.type === 'missing' || !chosen.choice.port.takesTurnsOnly) return chosen
  const choice = models.find(({ port }) => !port.takesTurnsOnly)
  return choice ? { type: 'found', choice } : { type: 'missing', reason: 'There is no model; connect one.' }
}
