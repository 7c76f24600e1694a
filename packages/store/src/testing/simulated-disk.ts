import type { Random } from '@holdfast/conversation'
import { createMemoryData, type MemoryData } from '../memory/memory-data.ts'

/** A change that gives the same result on equal data. */
type Change = (data: MemoryData) => unknown

/** What a crash did to the writes that were not synced. */
export interface CrashDamage {
  readonly lost: number
  readonly survived: number
}

/**
 * A disk with a cache. What is written is seen by later writes at once, is durable when it is synced, and
 * may be gone after a crash, of one unsynced group the end first.
 */
export interface SimulatedDisk {
  /** What has been synced. */
  readonly durable: MemoryData
  /** Writes, for others to write upon. What throws has changed nothing. */
  write<Value>(change: (data: MemoryData) => Value): Value
  /** Makes everything written so far durable. */
  sync(): void
  /** Drops the cache. Chance says how many of the oldest unsynced writes had reached the disk by themselves. */
  crash(random: Random): CrashDamage
}

/** An empty disk. */
export function createSimulatedDisk(): SimulatedDisk {
  const durable = createMemoryData()
  let cached = structuredClone(durable)
  let unsynced: Change[] = []

  const keep = (changes: readonly Change[]) => {
    for (const change of changes) change(durable)
  }

  return {
    durable,
    write(change) {
      const value = change(cached)
      unsynced.push(change)
      return value
    },
    sync() {
      keep(unsynced)
      unsynced = []
    },
    crash(random) {
      const survived = Math.floor(random.next() * (unsynced.length + 1))
      const lost = unsynced.length - survived
      keep(unsynced.slice(0, survived))
      unsynced = []
      cached = structuredClone(durable)
      return { lost, survived }
    },
  }
}
