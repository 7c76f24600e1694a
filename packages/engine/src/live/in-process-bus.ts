import type { LiveBus, LiveMessage } from '../api/live-bus.ts'

/** The live bus of a single process. It loses nothing; followers must not rely on that. */
export function createInProcessBus(): LiveBus {
  const listeners = new Map<string, Set<(message: LiveMessage) => void>>()
  const listenersToAll = new Set<(message: LiveMessage) => void>()
  return {
    publish(message) {
      for (const listener of listenersToAll) listener(message)
      for (const listener of listeners.get(message.conversationId) ?? []) listener(message)
    },
    subscribe(conversationId, listener) {
      const own = listeners.get(conversationId) ?? new Set()
      listeners.set(conversationId, own)
      own.add(listener)
      return () => {
        own.delete(listener)
        if (own.size === 0) listeners.delete(conversationId)
      }
    },
    subscribeToAll(listener) {
      listenersToAll.add(listener)
      return () => listenersToAll.delete(listener)
    },
    tellsOfOthers: () => false,
  }
}
