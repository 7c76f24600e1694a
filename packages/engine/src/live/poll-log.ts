import type { Clock } from '@holdfast/conversation'
import type { LiveBus } from '../api/live-bus.ts'
import { LIMITS } from '../api/ports.ts'
import type { LiveLog } from '../log/live-log.ts'

/** What looks at a log are made with. */
export interface PollDeps {
  readonly clock: Clock
  readonly bus: Pick<LiveBus, 'subscribe' | 'tellsOfOthers'>
  /** Runs what nobody waits for; the end of the process does. */
  readonly inBackground: (conversationId: string, started: Promise<void>) => void
}

/**
 * Looks for what other replicas write into the log of a run, until the returned function is called: at once when the bus tells
 * of it, and from time to time, for what the bus has lost. [STOP2, SCALE10]
 */
export function pollLog({ clock, bus, inBackground }: PollDeps, log: LiveLog): () => void {
  const { conversationId } = log
  let ended = false
  let lookedAt = clock.monotonicMs()
  let cancel = clock.after(untilBeat(clock), onBeat)
  const unsubscribe = bus.subscribe(conversationId, (message) => {
    const isNews = message.type === 'entries' && (message.entries.at(-1)?.seq ?? 0) > log.overview().head
    if (isNews) inBackground(conversationId, log.refresh())
  })

  function onBeat(): void {
    const now = clock.monotonicMs()
    if (bus.tellsOfOthers() && now - lookedAt < LIMITS.seldomPollMs) {
      cancel = clock.after(untilBeat(clock), onBeat)
      return
    }
    lookedAt = now
    const looked = log.refresh().finally(() => {
      if (!ended) cancel = clock.after(untilBeat(clock), onBeat)
    })
    inBackground(conversationId, looked)
  }

  return () => {
    ended = true
    unsubscribe()
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
