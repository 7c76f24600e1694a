import type { EntryOf } from '@holdfast/conversation'
import type { EnginePorts } from '../api/ports.ts'
import { readOverview } from '../log/log-states.ts'
import { createPathReader } from '../log/path-reader.ts'
import { figuresOf } from './usage-figures.ts'

/** How full the window is. */
export interface WindowUse {
  readonly usedTokens: number
  /** Null when the model's window is not known. */
  readonly contextWindowTokens: number | null
  /** Rounded; more than 100 when it is over. Null when the window is not known. [COST6] */
  readonly contextUsagePercent: number | null
  /** False when any of it was estimated. */
  readonly measured: boolean
}

/** How full the window is after the last request of a turn on the active path. [COST4] */
export async function contextOf(ports: EnginePorts, conversationId: string): Promise<WindowUse> {
  const { state } = await readOverview(ports.store, conversationId)
  const { entries } = await createPathReader(ports.store, conversationId).read(state, 0)
  const last = entries.findLast((entry): entry is EntryOf<'usage-recorded'> => {
    return entry.type === 'usage-recorded' && entry.purpose === 'turn' && entry.outcome === 'completed'
  })
  const chosen = state.settings.modelId
  const models = ports.models()
  const model = chosen === undefined ? models[0] : models.find(({ modelId }) => modelId === chosen)
  const contextWindowTokens = model?.facts.contextWindowTokens ?? null
  const usedTokens = last ? figuresOf(last).totalTokens : 0
  return {
    usedTokens,
    contextWindowTokens,
    contextUsagePercent: contextWindowTokens === null ? null : Math.round((usedTokens / contextWindowTokens) * 100),
    measured: last?.measured ?? true,
  }
}
