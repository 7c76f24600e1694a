/** Missed runs of one person that are made up for at a time, by this process and as far as it knows by others. [SCHED8] */
const MOST_CATCHING_UP = 2

/** Places for runs that make up for what was missed. */
export interface CatchUps {
  /** Whether there is one now. */
  hasPlace(ownerId: string): boolean
  /** A place, until what it returns is called: then the run is among those that are open. Null where all are taken. */
  take(ownerId: string): (() => void) | null
}

/** Gives them out. Schedules are decided about side by side: one that is being claimed is not open yet, and counts. */
export function createCatchUps(lateOf: (ownerId: string) => number): CatchUps {
  const claimed = new Map<string, number>()
  const hasPlace = (ownerId: string): boolean => lateOf(ownerId) + (claimed.get(ownerId) ?? 0) < MOST_CATCHING_UP
  return {
    hasPlace,
    take(ownerId) {
      if (!hasPlace(ownerId)) return null
      claimed.set(ownerId, (claimed.get(ownerId) ?? 0) + 1)
      return () => {
        const left = (claimed.get(ownerId) ?? 1) - 1
        if (left === 0) claimed.delete(ownerId)
        else claimed.set(ownerId, left)
      }
    },
  }
}
