import type { Clock } from '@holdfast/conversation'
import { LIMITS } from '../api/ports.ts'
import type { LiveLog } from '../log/live-log.ts'

/** What looks at a log are made with. */
export interface PollDeps {
  readonly clock: Clock
  /** Runs what nobody waits for; the end of the process does. */
  readonly inBackground: (conversationId: string, started: Promise<void>) => void
}

/** Looks for what other replicas write into the log of a run, until the returned function is called. [STOP2] */
export function pollLog({ clock, inBackground }: PollDeps, log: LiveLog): () => void {
  let ended = false
  let cancel = clock.after(untilBeat(clock), look)
  function look(): void {
    const looked = log.refresh().finally(() => {
      if (!ended) cancel = clock.after(untilBeat(clock), look)
    })
    inBackground(log.conversationId, looked)
  }
  return () => {
    ended = true
    cancel()
  }
}

/**
 * All runs of a process look at the same moments, so that a store can answer them together: a passage between threads costs
 * more than a look.
 */
function untilBeat(clock: Clock): number {
  return LIMITS.pollMs - (clock.monotonicMs() % LIMITS.pollMs)
}
