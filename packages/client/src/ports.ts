import type { Clock, Random } from '@holdfast/conversation'

/** All that the client knows of the world, beside its transport. */
export interface ClientPorts {
  readonly clock: Clock
  readonly random: Random
  /** A fresh id that never repeats. */
  readonly newId: () => string
}

/** The machine's own, in a browser and in Node. */
export const machinePorts: ClientPorts = {
  clock: {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    after(delayMs, run) {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
  },
  random: { next: () => Math.random() },
  newId: () => crypto.randomUUID(),
}
