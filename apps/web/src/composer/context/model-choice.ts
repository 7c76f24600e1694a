import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import type { ModelRow, ModelsAnswer } from '@holdfast/protocol'

/** The id of the demo model. */
export const DEMO_MODEL_ID = 'demo'

/** The model that answers, as far as it is known. */
export interface ModelInUse {
  readonly modelId: string | null
  readonly row: ModelRow | null
}

/** The model of a conversation: the chosen one, or the one that answers where none is chosen. */
export function useModelInUse(client: Client, store: ConversationStore): ModelInUse {
  const chosen = useConversation(store, (state) => state.overview.settings.modelId ?? null)
  const models = useObservable(client.models, ({ value }) => value)
  return modelInUse(models, chosen)
}

/** The model that would answer where there is no conversation yet. */
export function modelInUse(models: ModelsAnswer | undefined, chosen: string | null): ModelInUse {
  const modelId = chosen ?? models?.defaultModelId ?? null
  const rows = models?.providers.flatMap((provider) => provider.models) ?? []
  return { modelId, row: rows.find(({ id }) => id === modelId) ?? null }
}

/** Whether the demo model answers: a script on this computer. */
export function isDemo({ modelId, row }: ModelInUse): boolean {
  return row?.price?.reference === 'demo' || (row === null && modelId === DEMO_MODEL_ID)
}
