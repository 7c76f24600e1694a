import type { ConversationContext, ConversationStore } from '@holdfast/client'
import { setDock } from '../../shared/address.ts'
import { told } from '../../shared/ask-server.ts'
import { whenFree } from '../../shared/when-free.ts'

/** What makes room in a window that is too full. */
export interface Remedies {
  readonly summarise: () => void
  readonly chooseTools: () => void
}

/** Those of a conversation. */
export function remediesOf(context: ConversationContext, store: ConversationStore): Remedies {
  return {
    summarise: () => whenFree(store, () => void told(context.makeCheckpoint(null))),
    chooseTools: () => setDock('tools'),
  }
}
