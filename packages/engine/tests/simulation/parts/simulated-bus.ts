import type { LiveBus, LiveMessage } from '../../../src/api/live-bus.ts'
import type { Chance } from './chance.ts'
import type { Scheduler, SimulatedProcess } from './scheduler.ts'

/** A bus between replicas and whoever follows. It loses, repeats and reorders, as a bus may. */
export interface SimulatedBus {
  /** The end of the bus that a replica publishes on. `onPublish` hears everything, at once and in order. */
  endOf(process: SimulatedProcess, onPublish: (message: LiveMessage) => void): LiveBus
}

/** Makes a bus; with `isLossy` false everything arrives, once, in any order. */
export function createSimulatedBus(parts: {
  readonly chance: Chance
  readonly scheduler: Scheduler
  /** Where messages are on their way. */
  readonly wire: SimulatedProcess
  readonly isLossy: () => boolean
}): SimulatedBus {
  const { chance, scheduler, wire, isLossy } = parts
  const listeners = new Map<string, Set<(message: LiveMessage) => void>>()
  const listenersToAll = new Set<(message: LiveMessage) => void>()

  function deliver(message: LiveMessage): void {
    if (!listeners.has(message.conversationId) && listenersToAll.size === 0) return
    if (isLossy() && chance.happens(0.1)) return
    const times = isLossy() && chance.happens(0.1) ? 2 : 1
    for (let time = 0; time < times; time++) void deliverOnce(message)
  }

  async function deliverOnce(message: LiveMessage): Promise<void> {
    await scheduler.hop(wire, `the bus carries ${message.type}`)
    for (const listener of [...(listeners.get(message.conversationId) ?? []), ...listenersToAll]) listener(message)
  }

  return {
    endOf: (process, onPublish) => ({
      publish(message) {
        if (process.state === 'dead') return
        onPublish(message)
        deliver(message)
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
    }),
  }
}
