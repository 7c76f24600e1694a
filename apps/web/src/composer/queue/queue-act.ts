import type { ConversationStore } from '@holdfast/client'
import type { SentPart } from '@holdfast/protocol'

/** What a person does with what waits. */
export type QueueAct =
  | { readonly type: 'send-now' | 'remove'; readonly inputId: string }
  /** It is sent, and what is behind it stays held. */
  | { readonly type: 'send-next'; readonly inputId: string }
  /** Its words are others, and it is no longer edited. */
  | { readonly type: 'rewrite'; readonly inputId: string; readonly content: readonly SentPart[] }
  | { readonly type: 'lock'; readonly inputId: string; readonly isLocked: boolean }
  | { readonly type: 'move'; readonly inputId: string; readonly position: number }
  /** What was held is sent in its order. */
  | { readonly type: 'release' }

/** Asks the server for it. */
export function actOnQueue(store: ConversationStore, act: QueueAct): void {
  switch (act.type) {
    case 'send-now':
      store.sendInputNow(act.inputId)
      return
    case 'send-next':
      store.sendInputNow(act.inputId)
      store.holdQueue()
      return
    case 'remove':
      store.removeInput(act.inputId)
      return
    case 'rewrite':
      store.changeInput(act.inputId, { content: [...act.content], locked: false })
      return
    case 'lock':
      store.changeInput(act.inputId, { locked: act.isLocked })
      return
    case 'move':
      store.changeInput(act.inputId, { position: act.position })
      return
    case 'release':
      store.releaseQueue()
  }
}
