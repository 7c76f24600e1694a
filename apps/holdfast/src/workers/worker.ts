import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Taker } from './shared-port.ts'
import { FromWorker, type ToWorker } from './worker-messages.ts'

/** A process that serves lines of the shared port. */
export interface Worker extends Taker {
  readonly pid: number
  tell(message: ToWorker): void
  /** Ends it at once. */
  kill(): void
}

/** What is told of one. */
export interface WorkerEvents {
  onMessage(message: FromWorker): void
  /** It is gone; these lines never reached it. */
  onEnd(end: WorkerEnd): void
}

/** How a worker ended. */
export interface WorkerEnd {
  /** Null where a signal ended it. */
  readonly code: number | null
  readonly signal: string | null
  readonly lines: readonly Socket[]
}

/** Starts a worker: this program again. */
export function startWorker(begin: Extract<ToWorker, { type: 'begin' }>, { onMessage, onEnd }: WorkerEvents): Worker {
  const child = fork(process.argv[1] ?? '', ['worker'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const onTheWay = new Set<Socket>()
  child.on('message', (told) => onMessage(FromWorker.parse(told)))
  // What cannot be sent to it any more is told by its end.
  child.on('error', () => {})
  child.once('exit', (code, signal) => onEnd({ code, signal, lines: [...onTheWay] }))
  tell(child, begin)
  return {
    pid: child.pid ?? 0,
    onTheWay: () => onTheWay.size,
    take(line) {
      onTheWay.add(line)
      const message: ToWorker = { type: 'line' }
      child.send(message, line, (error) => {
        if (error === null) onTheWay.delete(line)
      })
    },
    tell: (message) => tell(child, message),
    kill: () => void child.kill('SIGKILL'),
  }
}

function tell(child: ChildProcess, message: ToWorker): void {
  if (child.connected) child.send(message, () => {})
}
