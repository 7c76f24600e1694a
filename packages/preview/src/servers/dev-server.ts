import type { Clock } from '@holdfast/conversation'
import type { BackgroundEnd, ServedCommand, ServedCommands } from '@holdfast/toolbox'
import type { Target } from '../proxy/target.ts'
import { type DevServerState, STOPPED } from './dev-server-state.ts'
import { lastLines, plainLog } from './plain-log.ts'
import { pauseOf, SERVER_TIMES, watchPorts } from './watch-ports.ts'

/** A command line and the folder that it runs in, from the place. */
export interface ServerCommand {
  readonly line: string
  readonly folder: string
}

/** A command that shows pages, watched. [PREV2] */
export interface DevServer {
  now(): DevServerState
  /** All that is kept of what it printed, as text. */
  log(): string
  /** Starts it, unless it runs already. */
  start(command: ServerCommand): Promise<void>
  /** Nothing that it started is there when this settles. */
  stop(): Promise<void>
}

/** What a dev server is run and watched with. */
export interface DevServerDeps {
  readonly commands: ServedCommands
  readonly clock: Clock
  /** Where its pages come from, from now on. */
  readonly onTarget: (target: Target | null) => void
  readonly onFault: (error: unknown) => void
}

const CRASH_LINES = 20
/** Before each line: colours are for terminals, and nobody opens a browser here. */
const PRELUDE = 'export NO_COLOR=1 BROWSER=none FORCE_COLOR= ; unset FORCE_COLOR; '

interface Attempt {
  readonly command: ServedCommand
  readonly startedAtMs: number
}

/** Makes one that is stopped. */
export function createDevServer({ commands, clock, onTarget, onFault }: DevServerDeps): DevServer {
  let state: DevServerState = STOPPED
  let attempt: Attempt | null = null
  let earlierLog = ''
  /** Ends what waits: a look, or the next start. */
  let watching = new AbortController()
  let changing: Promise<void> = Promise.resolve()

  function change(changes: Partial<DevServerState>): void {
    state = { ...state, ...changes }
  }

  const logNow = (): string => plainLog(attempt?.command.log.read(0).text ?? earlierLog)

  async function begin(command: ServerCommand): Promise<void> {
    const started = await commands.start({ line: PRELUDE + command.line, folder: command.folder || '.' })
    if (started === null) {
      change({ state: 'crashed', problem: 'It was not started: Holdfast is closing' })
      return
    }
    attempt = { command: started, startedAtMs: clock.monotonicMs() }
    const own = attempt
    const controller = new AbortController()
    watching = controller
    void started.ended
      .then((end) => {
        controller.abort()
        return over({ end, own, command })
      })
      .catch(onFault)
    watchPorts({ ...own, log: logNow, change, onTarget, clock }, controller.signal).catch(onFault)
  }

  async function over({
    end,
    own,
    command,
  }: {
    readonly end: BackgroundEnd
    readonly own: Attempt
    readonly command: ServerCommand
  }): Promise<void> {
    if (attempt !== own) return
    onTarget(null)
    const exit = exitOf(end)
    const isSame = state.exit !== null && state.exit.code === exit.code && state.exit.signal === exit.signal
    const livedMs = clock.monotonicMs() - own.startedAtMs
    const delayMs = SERVER_TIMES.restartsMs[state.restartCount]
    const why = `${endInWords(end)}. Its last lines:\n${lastLines(logNow(), CRASH_LINES)}`
    if (delayMs === undefined || (isSame && livedMs < SERVER_TIMES.atOnceMs)) {
      change({ state: 'crashed', port: null, ports: [], exit, problem: why })
      return
    }
    const again = `Started again in ${delayMs / 1_000} s, for it ${why}`
    change({ state: 'starting', port: null, ports: [], exit, problem: again, restartCount: state.restartCount + 1 })
    const controller = new AbortController()
    watching = controller
    await pauseOf(clock)(delayMs, controller.signal)
    if (!controller.signal.aborted && attempt === own) await begin(command)
  }

  async function end(): Promise<void> {
    const own = attempt
    watching.abort()
    earlierLog = own?.command.log.read(0).text ?? earlierLog
    attempt = null
    onTarget(null)
    await own?.command.stop()
    change({ state: 'stopped', port: null, ports: [], problem: null })
  }

  /** One change after the other: a stop waits for the start before it. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = changing.then(work)
    changing = done.catch(() => {})
    return done
  }

  return {
    now: () => state,
    log: logNow,
    start: (command) =>
      inTurn(async () => {
        if (state.state === 'starting' || state.state === 'ready') return
        change({ state: 'starting', command: command.line, exit: null, restartCount: 0, problem: null })
        try {
          await begin(command)
        } catch (error) {
          change({ state: 'crashed', problem: error instanceof Error ? error.message : String(error) })
        }
      }),
    stop: () => inTurn(end),
  }
}

function exitOf(end: BackgroundEnd): { readonly code: number | null; readonly signal: string | null } {
  return end.type === 'ended' ? { code: end.end.exitCode, signal: end.end.signal } : { code: null, signal: null }
}

function endInWords(end: BackgroundEnd): string {
  if (end.type === 'failed') return `could not be run: ${end.message}`
  const { exitCode, signal } = end.end
  const how = signal === null ? `ended with exit code ${exitCode ?? 'unknown'}` : `was ended by ${signal}`
  return [how, ...end.remarks].join('. ')
}
