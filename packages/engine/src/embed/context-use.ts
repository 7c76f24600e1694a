import type { EntryLog } from '@holdfast/conversation'
import type { Engine } from '../api/engine.ts'

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

/** What nobody has said anything in yet holds nothing, and nothing of it was measured. */
const NOTHING_SAID: WindowUse = {
  usedTokens: 0,
  contextWindowTokens: null,
  contextUsagePercent: null,
  measured: false,
}

/**
 * How full the window is by the engine's own meter, which everything else that shows it reads too. Null where there is
 * no model: then nobody can say. [COST4]
 */
export async function windowUse(
  { engine, store }: { readonly engine: Pick<Engine, 'contextOf'>; readonly store: Pick<EntryLog, 'read'> },
  conversationId: string,
): Promise<WindowUse | null> {
  const { head } = await store.read({ conversationId, after: 0, limit: 1 })
  if (head === 0) return NOTHING_SAID
  const report = await engine.contextOf(conversationId)
  if (report === null) return null
  const { usedTokens, windowTokens, percent, measured } = report
  return { usedTokens, contextWindowTokens: windowTokens, contextUsagePercent: percent, measured }
}
