import { useSyncExternalStore } from 'react'
import type { ConversationState } from '../conversation/conversation-state.ts'
import type { ConversationStore } from '../conversation/conversation-store.ts'
import type { Observable } from '../values/observable.ts'

/**
 * Renders again when the selected part of the conversation changes.
 *
 * @param select - picks a part by reference, such as `(state) => state.draft`. One that builds a new object
 *   renders without end.
 */
export function useConversation<Part>(store: ConversationStore, select: (state: ConversationState) => Part): Part {
  return useObservable(store, select)
}

/** Reads a part of any observable of the client. */
export function useObservable<Value, Part>(observable: Observable<Value>, select: (value: Value) => Part): Part {
  const read = () => select(observable.getSnapshot())
  return useSyncExternalStore(observable.subscribe, read, read)
}
