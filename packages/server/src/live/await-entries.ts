import type { ServerResponse } from 'node:http'
import type { Clock } from '@holdfast/conversation'
import { createFollower, type FollowerDeps } from './follower.ts'

/** What is waited for, and until when. */
export interface AwaitedEntries extends Pick<FollowerDeps, 'conversationId' | 'after' | 'bus' | 'store' | 'engine'> {
  readonly clock: Clock
  /** How long it waits, in milliseconds. */
  readonly limitMs: number
  /** The answer that waits: when it is left, so is the wait. */
  readonly line: ServerResponse
}

/** Waits until a conversation has an entry after a place, a limit is over, or who asked has left. @throws when the log cannot be read. */
export function awaitEntries({ clock, limitMs, line, ...place }: AwaitedEntries): Promise<void> {
  return new Promise((resolve, reject) => {
    const follower = createFollower({
      ...place,
      keptOnly: true,
      outlet: {
        send(frame) {
          if (frame.type === 'entries') end()
        },
        drained: () => Promise.resolve(),
      },
      onFailure: (error) => {
        release()
        reject(error)
      },
    })
    const cancel = clock.after(limitMs, end)
    line.on('close', end)

    function release(): void {
      cancel()
      line.off('close', end)
      follower.close()
    }

    function end(): void {
      release()
      resolve()
    }
  })
}
