import type { Clock } from '@holdfast/conversation'

/** A limit of time that can stand still: while a person is asked nothing counts. [RUN6, PERM4] */
export interface TimeLimit {
  /** Stops counting, until the function that it returns is called. Several may hold it at once. */
  suspend(): () => void
  /** Counts from zero again. */
  restart(): void
  cancel(): void
}

/** Calls `onReached` once when `limitMs` milliseconds have been counted. */
export function createTimeLimit(options: {
  readonly clock: Clock
  readonly limitMs: number
  readonly onReached: () => void
}): TimeLimit {
  const { clock, limitMs, onReached } = options
  let leftMs = limitMs
  let countedFrom = clock.monotonicMs()
  let holders = 0
  let isOver = false
  let stop = start()

  function start(): () => void {
    countedFrom = clock.monotonicMs()
    return clock.after(leftMs, () => {
      isOver = true
      onReached()
    })
  }

  return {
    suspend() {
      if (holders++ === 0 && !isOver) {
        stop()
        leftMs = Math.max(0, leftMs - (clock.monotonicMs() - countedFrom))
      }
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        if (--holders === 0 && !isOver) stop = start()
      }
    },
    restart() {
      leftMs = limitMs
      if (holders > 0 || isOver) return
      stop()
      stop = start()
    },
    cancel() {
      isOver = true
      stop()
    },
  }
}
