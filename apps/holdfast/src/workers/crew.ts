import { randomBytes } from 'node:crypto'
import type { Clock } from '@holdfast/conversation'
import type { Diagnostics } from '@holdfast/server'
import { endsInRow, restartPauseMs } from './restart-pause.ts'
import type { SharedPort } from './shared-port.ts'
import { startWorker, type Worker, type WorkerEnd } from './worker.ts'
import type { FromWorker, ToWorker } from './worker-messages.ts'

/** The workers of one port. */
export interface Crew {
  /** What the first says when all have begun, or how it ended before it was ready. */
  readonly ready: Promise<
    Extract<FromWorker, { type: 'ready' }> | { readonly type: 'failed'; readonly exitCode: number }
  >
  /** A code that opens a page once, at whichever worker it comes to. [SEC20] */
  makeCode(): string
  /** Takes no more lines, and has all of them end in order. */
  end(): Promise<void>
  /** Ends at once who is still there. */
  kill(): void
}

/** What it is made of. */
export interface CrewDeps {
  readonly begin: Omit<Extract<ToWorker, { type: 'begin' }>, 'number' | 'isFirst'>
  readonly count: number
  readonly shared: SharedPort
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>
  readonly log: Pick<Diagnostics, 'info' | 'warn'>
}

type Ready = Extract<FromWorker, { type: 'ready' }>

/** Starts the first worker alone, which makes the schema and looks after what was left, and then the others. */
export function openCrew({ begin, count, shared, clock, log }: CrewDeps): Crew {
  const ready = Promise.withResolvers<Awaited<Crew['ready']>>()
  const running = new Map<number, Worker>()
  const pauses = new Map<number, () => void>()
  const ended = Promise.withResolvers<void>()
  let isEnding = false

  /** @returns when it is ready, or has ended before. */
  function start(
    number: number,
    before: { readonly inRow: number; readonly isFirst: boolean },
  ): Promise<Ready | WorkerEnd> {
    const outcome = Promise.withResolvers<Ready | WorkerEnd>()
    const startedAt = clock.monotonicMs()
    const worker = startWorker(
      { ...begin, number, isFirst: before.isFirst },
      {
        onMessage(message) {
          if (message.type !== 'ready') return tellOthers(number, message)
          if (!isEnding) shared.add(worker)
          outcome.resolve(message)
        },
        onEnd(end) {
          shared.remove(worker)
          running.delete(number)
          outcome.resolve(end)
          if (isEnding) return endIfLast()
          for (const line of end.lines) shared.pass(line)
          if (!before.isFirst || isBegun)
            again(number, { ...end, inRow: endsInRow(before.inRow, clock.monotonicMs() - startedAt) })
        },
      },
    )
    running.set(number, worker)
    return outcome.promise
  }

  let isBegun = false

  function again(
    number: number,
    { code, signal, inRow }: Pick<WorkerEnd, 'code' | 'signal'> & { readonly inRow: number },
  ): void {
    const pauseMs = restartPauseMs(inRow)
    log.warn('a worker has ended; another one takes its place', { worker: number, code, signal, pauseMs })
    const cancel = clock.after(pauseMs, () => {
      pauses.delete(number)
      void start(number, { inRow, isFirst: false })
    })
    pauses.set(number, cancel)
  }

  function tellOthers(number: number, message: ToWorker): void {
    for (const [other, worker] of running) if (other !== number) worker.tell(message)
  }

  function endIfLast(): void {
    if (running.size === 0) ended.resolve()
  }

  async function begun(): Promise<void> {
    const first = await start(1, { inRow: 0, isFirst: true })
    if (!('url' in first)) return ready.resolve({ type: 'failed', exitCode: first.code ?? 1 })
    isBegun = true
    if (isEnding) return
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => start(index + 2, { inRow: 0, isFirst: false })))
    const pids = [...running.values()].map(({ pid }) => pid)
    log.info('workers serve the port', { workers: pids.length, pids })
    ready.resolve(first)
  }

  void begun()
  return {
    ready: ready.promise,
    makeCode() {
      const code = randomBytes(24).toString('base64url')
      for (const worker of running.values()) worker.tell({ type: 'code-made', code })
      return code
    },
    end() {
      isEnding = true
      shared.close()
      for (const cancel of pauses.values()) cancel()
      for (const worker of running.values()) worker.tell({ type: 'end' })
      endIfLast()
      return ended.promise
    },
    kill() {
      for (const worker of running.values()) worker.kill()
    },
  }
}
