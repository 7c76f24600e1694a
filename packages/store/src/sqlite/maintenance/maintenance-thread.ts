import type { MessagePort } from 'node:worker_threads'
import type { StoreFiles } from '../files/files.ts'
import { toReadError } from '../files/sqlite-errors.ts'
import { toFailure } from '../messages/failures.ts'
import type { ThreadMessage, ThreadOrder } from '../messages/thread-messages.ts'

/** The one call of a thread that does one thing and ends. */
export interface MaintenanceCalls<Args> {
  readonly type: 'calls'
  readonly calls: readonly { readonly id: number; readonly args: Args }[]
}

/**
 * Runs a thread that does one long thing while others read and write. `work` looks at the signal between
 * its parts, each of which is short or cannot be broken off.
 */
export function runMaintenance<Args>(
  port: MessagePort,
  files: StoreFiles,
  work: (args: Args, signal: AbortSignal) => Promise<unknown>,
): void {
  const controller = new AbortController()
  const say = (message: ThreadMessage) => port.postMessage(message)
  const perform = async ({ id, args }: MaintenanceCalls<Args>['calls'][number]) => {
    try {
      say({
        type: 'answers',
        answers: [{ type: 'answered', id, value: await work(args, controller.signal) }],
        isDone: true,
      })
    } catch (error) {
      say({
        type: 'answers',
        answers: [{ type: 'refused', id, failure: toFailure(toReadError(error, files) ?? error) }],
        isDone: true,
      })
    }
  }
  port.on('message', (told: MaintenanceCalls<Args> | ThreadOrder) => {
    if (told.type === 'calls') {
      for (const call of told.calls) void perform(call)
    } else if (told.type === 'abort') {
      controller.abort()
    } else {
      say({ type: 'closed' })
      port.close()
    }
  })
  say({ type: 'ready' })
}

/** Lets the thread hear what it is told meanwhile. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
