import type { Clock } from '@holdfast/conversation'
import { createOutputLog, type OutputLog } from './output-log.ts'
import { type CommandEnd, runCommand, type ShellPorts } from './run-command.ts'

/** A command that runs beside the conversation. */
export interface BackgroundProcess {
  readonly processId: string
  readonly line: string
  readonly log: OutputLog
  /** Milliseconds of a clock that only grows. */
  readonly startedAtMs: number
  /** Null while it runs. */
  end(): BackgroundEnd | null
  /** Settles when nothing of it is left; never throws. */
  readonly ended: Promise<BackgroundEnd>
}

/** How it ended: as a process, or without ever being one. */
export type BackgroundEnd =
  | ({ readonly type: 'ended'; readonly atMs: number } & CommandEnd)
  | { readonly type: 'failed'; readonly message: string; readonly atMs: number }

/** The background processes of one owner. */
export interface BackgroundProcesses {
  /** Null when too many run already. */
  start(command: { readonly line: string; readonly folder: string }): BackgroundProcess | null
  get(processId: string): BackgroundProcess | null
  /** The oldest first; of those that have ended, the last few. */
  list(): readonly BackgroundProcess[]
  /** Ends one and waits until nothing of it is left. */
  stop(process: BackgroundProcess): Promise<BackgroundEnd>
  /** Ends all of them; nothing starts afterwards. */
  close(): Promise<void>
}

/** How many may run at once, and how much of their output is kept. */
export const BACKGROUND_LIMITS = { runningCount: 16, endedCount: 32, logBytes: 262_144 } as const

/** No process yet. `onEnd` is told when one has ended; it does not throw. */
export function createBackgroundProcesses(ports: ShellPorts, onEnd: () => void): BackgroundProcesses {
  const { clock } = ports
  const owned = new Map<string, { readonly process: BackgroundProcess; readonly stop: AbortController }>()
  let isClosed = false
  let count = 0

  function running(): number {
    return [...owned.values()].filter(({ process }) => process.end() === null).length
  }

  function forgetOldest(): void {
    const ended = [...owned.values()].filter(({ process }) => process.end() !== null)
    for (const { process } of ended.slice(0, -BACKGROUND_LIMITS.endedCount)) owned.delete(process.processId)
  }

  async function stop({ processId, ended }: BackgroundProcess): Promise<BackgroundEnd> {
    owned.get(processId)?.stop.abort()
    return ended
  }

  return {
    start({ line, folder }) {
      if (isClosed || running() >= BACKGROUND_LIMITS.runningCount) return null
      const controller = new AbortController()
      const log = createOutputLog(BACKGROUND_LIMITS.logBytes)
      let end: BackgroundEnd | null = null
      const command = { line, folder, signal: controller.signal, onOutput: log.add }
      const ended = endOf(runCommand(ports, command), clock).then((result) => {
        end = result
        forgetOldest()
        onEnd()
        return result
      })
      const process: BackgroundProcess = {
        processId: `process-${++count}`,
        line,
        log,
        startedAtMs: clock.monotonicMs(),
        end: () => end,
        ended,
      }
      owned.set(process.processId, { process, stop: controller })
      return process
    },
    get: (processId) => owned.get(processId)?.process ?? null,
    list: () => [...owned.values()].map(({ process }) => process),
    stop,
    async close() {
      isClosed = true
      await Promise.all([...owned.values()].map(({ process }) => stop(process)))
    },
  }
}

/** What became of a run, as a value: nobody may be waiting for it when it fails. */
async function endOf(run: Promise<CommandEnd>, clock: Clock): Promise<BackgroundEnd> {
  try {
    const { end, remarks } = await run
    return { type: 'ended', end, remarks, atMs: clock.monotonicMs() }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { type: 'failed', message, atMs: clock.monotonicMs() }
  }
}
