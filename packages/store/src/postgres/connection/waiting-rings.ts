import type { Ring } from '@holdfast/conversation'

/** Rings that wait to be told, one of a kind for each conversation: the newest head counts. */
export interface WaitingRings {
  add(ring: Ring): void
  /** Those that wait, in the order of their first ring, which wait no longer. */
  take(): readonly Ring[]
  isEmpty(): boolean
}

/** More conversations than these do not wait: the oldest are left to those who look. */
const MOST_RINGS = 10_000

/** Makes them, of which none waits. */
export function createWaitingRings(): WaitingRings {
  let waiting = new Map<string, Ring>()
  return {
    add(ring) {
      const key = `${ring.type} ${ring.conversationId}`
      const known = waiting.get(key)
      if (known?.type === 'grown' && ring.type === 'grown' && known.head >= ring.head) return
      waiting.set(key, ring)
      if (waiting.size <= MOST_RINGS) return
      const [oldest = key] = waiting.keys()
      waiting.delete(oldest)
    },
    take() {
      const taken = [...waiting.values()]
      waiting = new Map()
      return taken
    },
    isEmpty: () => waiting.size === 0,
  }
}
