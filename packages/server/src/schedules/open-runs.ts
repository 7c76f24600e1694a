import type { StoredSchedules } from './stored-schedules.ts'

/** In which conversations runs of schedules are open, as far as this process knows. */
export interface OpenRuns {
  /** Looks anew where a schedule runs. */
  changed(id: string): void
  /** The conversations with the schedules that run in them. */
  all(): ReadonlyMap<string, ReadonlySet<string>>
  /** Whether a run of a schedule is open in it still. */
  isOpen(conversationId: string): boolean
  /** Runs of one person that make up for what was missed. */
  lateOf(ownerId: string): number
}

/** Keeps them beside the schedules. */
export function createOpenRuns(stored: Pick<StoredSchedules, 'get'>): OpenRuns {
  const openIn = new Map<string, Set<string>>()
  const lateRuns = new Map<string, { readonly ownerId: string; readonly count: number }>()
  const lateOfOwner = new Map<string, number>()

  function countLate(id: string): void {
    const before = lateRuns.get(id)
    if (before) lateOfOwner.set(before.ownerId, (lateOfOwner.get(before.ownerId) ?? 0) - before.count)
    const value = stored.get(id)?.value
    const count = value?.open.filter(({ isLate }) => isLate).length ?? 0
    if (value === undefined || count === 0) {
      lateRuns.delete(id)
      return
    }
    lateRuns.set(id, { ownerId: value.ownerId, count })
    lateOfOwner.set(value.ownerId, (lateOfOwner.get(value.ownerId) ?? 0) + count)
  }

  return {
    changed(id) {
      countLate(id)
      for (const [conversationId, schedules] of openIn) {
        schedules.delete(id)
        if (schedules.size === 0) openIn.delete(conversationId)
      }
      for (const { conversationId } of stored.get(id)?.value.open ?? []) {
        const own = openIn.get(conversationId) ?? new Set()
        openIn.set(conversationId, own.add(id))
      }
    },
    all: () => openIn,
    isOpen: (conversationId) =>
      [...(openIn.get(conversationId) ?? [])].some((id) =>
        stored.get(id)?.value.open.some((open) => open.conversationId === conversationId),
      ),
    lateOf: (ownerId) => lateOfOwner.get(ownerId) ?? 0,
  }
}
