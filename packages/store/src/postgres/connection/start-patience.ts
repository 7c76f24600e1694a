import { type Clock, StoreOpenError } from '@holdfast/conversation'
import { databaseFailure } from './database-failures.ts'

/** How long a start waits for a database that has no room for it, beyond the usual limits. */
export interface StartPatience {
  /** From the opening on, in milliseconds. */
  readonly limitMs: number
  /** Whether it has started; from then on the usual limits hold. */
  readonly isOver: () => boolean
  /** Told why it waits, at first and then once in a while. */
  readonly onWait: (why: string) => void
}

/** Does something again while the database is busy and the start goes on; what it refuses otherwise goes on as it is. */
export type WhileBusy = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Between two tries, in milliseconds: a server with too many connections says so at once. */
const PAUSE_MS = 500
const TOLD_EVERY_MS = 10_000

/** Nobody waits longer than usual. */
export const IMPATIENT: WhileBusy = (work) => work()

/** Begins to count now. [SCHED28] */
export function createPatience(clock: Clock, { limitMs, isOver, onWait }: StartPatience): WhileBusy {
  const until = clock.now() + limitMs
  let toldAt = Number.NEGATIVE_INFINITY
  return async (work) => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        const failure = databaseFailure(error instanceof StoreOpenError ? error.cause : error)
        const now = clock.now()
        if (failure?.code !== 'busy' || isOver() || now >= until) throw error
        if (now - toldAt >= TOLD_EVERY_MS) {
          toldAt = now
          onWait(failure.what)
        }
        await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve))
      }
    }
  }
}
