import type { ConversationStore } from '@holdfast/client'
import type { SentPart } from '@holdfast/protocol'
import { useSyncExternalStore } from 'react'
import { say } from '../../shared/language/say.ts'
import { tell } from '../../shared/toasts/toasts.ts'

/** What a person does with what waits. */
export type QueueAct =
  | { readonly type: 'send-now' | 'remove'; readonly inputId: string }
  /** It is sent, and what is behind it stays held. */
  | { readonly type: 'send-next'; readonly inputId: string }
  /** Its words are others, and it is no longer edited. */
  | { readonly type: 'rewrite'; readonly inputId: string; readonly content: readonly SentPart[] }
  | { readonly type: 'lock'; readonly inputId: string; readonly isLocked: boolean }
  | { readonly type: 'move'; readonly inputId: string; readonly position: number }
  /** They are taken out, and can be brought back for a moment. */
  | { readonly type: 'clear'; readonly inputIds: readonly string[] }
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
    case 'clear':
      clearQueue(store, act.inputIds)
      return
    case 'release':
      store.releaseQueue()
  }
}

/** How long what was cleared can be brought back, in milliseconds: as long as its toast stays, and far less than a lock. */
const UNDO_MS = 8_000

/**
 * Locks what is cleared, so that nothing of it is sent, and takes it out when the time to think again is over. Where the page
 * is closed in between, the locks end by themselves and all of it is still there. [STOP9, UI4]
 */
function clearQueue(store: ConversationStore, inputIds: readonly string[]): void {
  const lock = (locked: boolean): void => inputIds.forEach((inputId) => void store.changeInput(inputId, { locked }))
  lock(true)
  setCleared([...cleared, ...inputIds])
  const timer = setTimeout(() => {
    for (const inputId of inputIds) store.removeInput(inputId)
  }, UNDO_MS)
  tell(say('queue.cleared', { count: inputIds.length }), () => {
    clearTimeout(timer)
    setCleared(cleared.filter((inputId) => !inputIds.includes(inputId)))
    lock(false)
  })
}

let cleared: readonly string[] = []
const listeners = new Set<() => void>()

function setCleared(next: readonly string[]): void {
  cleared = next
  for (const listener of listeners) listener()
}

/** The inputs that are cleared and not taken out yet: they are not shown. */
export function useCleared(): readonly string[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => cleared,
  )
}
