import { SAME_SIGNAL_MS } from '../process-end.ts'

/** The longest that a shutdown takes when its drain has ended, in milliseconds. What is not written by then is recovered at the next start. */
export const SHUTDOWN_MS = 9_000

/** What is said to who ends the program. */
export const SAVING = 'Saving what runs. Press Ctrl+C again to end now.\n'

/** What ends the program: the first asks, the second insists. */
export interface Stopped {
  readonly first: Promise<void>
  readonly second: Promise<void>
}

/** Listens for the signals that end the program. */
export function untilSignal(): Stopped {
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  let asked: { readonly by: NodeJS.Signals; readonly at: number } | null = null
  function onSignal(signal: NodeJS.Signals): void {
    if (asked === null) {
      asked = { by: signal, at: performance.now() }
      first.resolve()
      return
    }
    const isSame = signal === 'SIGTERM' && asked.by === signal && performance.now() - asked.at < SAME_SIGNAL_MS
    if (!isSame) second.resolve()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return { first: first.promise, second: second.promise }
}
