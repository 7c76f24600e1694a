import type { LiveBus, LiveMessage } from '@holdfast/engine'

/** A bus whose every message an observer sees first, of all conversations. */
export function observedBus(bus: LiveBus, observe: (message: LiveMessage) => void): LiveBus {
  return {
    publish(message) {
      observe(message)
      bus.publish(message)
    },
    subscribe: bus.subscribe,
    subscribeToAll: bus.subscribeToAll,
    tellsOfOthers: bus.tellsOfOthers,
  }
}
