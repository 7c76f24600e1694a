import type { Clock } from '@holdfast/conversation'
import type { ModelPart } from '@holdfast/provider'

/** How long a model thinks in one answer. */
export interface ThinkingTime {
  /** Told of every part of a block as it comes. */
  heard(part: Extract<ModelPart, { block: number }>): void
  /** In milliseconds, up to now where a block of it is open; null where it has not thought. */
  elapsedMs(): number | null
}

/** Measures from the start of each block of thinking to its end, or to where the answer goes on in another block. */
export function createThinkingTime(clock: Pick<Clock, 'now'>): ThinkingTime {
  let block: number | null = null
  let since = 0
  let totalMs: number | null = null

  function close(): void {
    if (block === null) return
    totalMs = (totalMs ?? 0) + Math.max(0, clock.now() - since)
    block = null
  }

  return {
    heard(part) {
      if (block !== null && (part.block !== block || part.type === 'block-ended')) close()
      if (part.type !== 'block-started' || part.start.type !== 'thinking') return
      block = part.block
      since = clock.now()
    },
    elapsedMs() {
      close()
      return totalMs
    },
  }
}
