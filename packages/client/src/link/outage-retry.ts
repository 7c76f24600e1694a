import type { Clock, Random } from '@holdfast/conversation'
import type { Problem, ServerFrame } from '@holdfast/protocol'
import { retryDelayMs } from './retry-delay.ts'

/** Asks again what the server could not answer because its store was away. [SYNC21] */
export interface OutageRetry {
  onFrame(frame: ServerFrame): void
  close(): void
}

/** What it needs. */
export interface OutageRetryDeps {
  readonly clock: Clock
  readonly random: Random
  /** Asks for all that has no answer yet. */
  again(): void
}

/** Makes one for a client: with each refusal the wait is longer, until something is answered. */
export function createOutageRetry({ clock, random, again }: OutageRetryDeps): OutageRetry {
  let attempts = 0
  let cancel: (() => void) | null = null

  function wait(): void {
    cancel ??= clock.after(retryDelayMs(attempts, random), () => {
      cancel = null
      attempts += 1
      again()
    })
  }

  return {
    onFrame(frame) {
      if (frame.type === 'refused' && isOutage(frame.problem)) wait()
      else if (frame.type === 'accepted' || frame.type === 'caught-up') attempts = 0
    },
    close() {
      cancel?.()
    },
  }
}

/** The server is there and its store is not: nothing was decided, and asking again can help. [SYNC21] */
export function isOutage({ code }: Problem): boolean {
  return code.startsWith('store-')
}
