import type { Overview } from '@holdfast/conversation'
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
  return { type: 'missing', reason: `There is no model ${chosen}; choose another.` }
}

/** The model that is asked beside the turns of a conversation: its own, or the first there is where an agent answers it. [AGENT1] */
export function modelBeside(models: readonly ModelChoice[], state: Overview): Chosen {
  const chosen = modelOf(models, state)
  if (chosen.type === 'missing' || !chosen.choice.port.takesTurnsOnly) return chosen
  const choice = models.find(({ port }) => !port.takesTurnsOnly)
  return choice ? { type: 'found', choice } : { type: 'missing', reason: 'There is no model; connect one.' }
}
