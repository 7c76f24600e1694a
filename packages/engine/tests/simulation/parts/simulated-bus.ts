import type { LiveBus, LiveMessage } from '../../../src/api/live-bus.ts'
import type { Chance } from './chance.ts'
import type { Scheduler, SimulatedProcess } from './scheduler.ts'

/** A bus between replicas and whoever follows. It loses, repeats and reorders, as a bus may; who is cut from it hears only itself. */
export interface SimulatedBus {
  /** The end of the bus that a replica publishes on. `onPublish` hears everything, at once and in order. */
  endOf(process: SimulatedProcess, onPublish: (message: LiveMessage) => void): LiveBus
}

interface Listening {
  readonly process: SimulatedProcess
  readonly listener: (message: LiveMessage) => void
}

function reaches({ cutFrom }: SimulatedProcess): boolean {
  return cutFrom !== 'bus' && cutFrom !== 'both'
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
  const listeners = new Map<string, Set<Listening>>()
  const listenersToAll = new Set<Listening>()

  function deliver(sender: SimulatedProcess, message: LiveMessage): void {
    if (!listeners.has(message.conversationId) && listenersToAll.size === 0) return
    if (isLossy() && chance.happens(0.1)) return
    const times = isLossy() && chance.happens(0.1) ? 2 : 1
    for (let time = 0; time < times; time++) void deliverOnce(sender, message)
  }

  async function deliverOnce(sender: SimulatedProcess, message: LiveMessage): Promise<void> {
    await scheduler.hop(wire, `the bus carries ${message.type}`)
    for (const { process, listener } of [...(listeners.get(message.conversationId) ?? []), ...listenersToAll])
      if (process === sender || (reaches(process) && reaches(sender))) listener(message)
  }

  return {
    endOf: (process, onPublish) => ({
      publish(message) {
        if (process.state === 'dead') return
        onPublish(message)
        deliver(process, message)
      },
      subscribe(conversationId, listener) {
        const own = listeners.get(conversationId) ?? new Set()
        listeners.set(conversationId, own)
        const listening = { process, listener }
        own.add(listening)
        return () => {
          own.delete(listening)
          if (own.size === 0) listeners.delete(conversationId)
        }
      },
      subscribeToAll(listener) {
        const listening = { process, listener }
        listenersToAll.add(listening)
        return () => listenersToAll.delete(listening)
      },
      // The bus loses: who waits for what another writes looks as often as where nothing is told.
      tellsOfOthers: () => false,
    }),
  }
}
