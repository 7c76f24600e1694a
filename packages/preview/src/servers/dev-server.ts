import type { Clock } from '@holdfast/conversation'
import type { BackgroundEnd, PortForward, ServedCommand, ServedCommands } from '@holdfast/toolbox'
import type { Target } from '../proxy/target.ts'
import { listeningPorts } from './listening-ports.ts'
import { targetAt } from './machine-port.ts'
import { lastLines, plainLog, printedPorts } from './plain-log.ts'
import { type Probed, probePort } from './probe-port.ts'

/** A command line and the folder that it runs in, from the place. */
export interface ServerCommand {
  readonly line: string
  readonly folder: string
}

/** How a dev server stands. */
export interface DevServerState {
  readonly state: 'stopped' | 'starting' | 'ready' | 'crashed'
  readonly command: string | null
  /** The one that is shown. */
  readonly port: number | null
  readonly ports: readonly number[]
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null
  readonly restartCount: number
  readonly problem: string | null
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

/** Times in milliseconds, as people wait for them. */
export const SERVER_TIMES = {
  /** Between looks for a port while it starts, and when it is ready. */
  lookMs: 150,
  watchMs: 1_000,
  /** A page that is made when it is asked for the first time takes its time. */
  probeMs: 20_000,
  /** One that answers and shows no page may open another port that does. */
  otherPortMs: 3_000,
  /** From then on a person is told that nothing answers. */
  patienceMs: 60_000,
  restartsMs: [1_000, 2_000, 4_000],
  /** Who ends in the same way within so long again will do so for ever. */
  atOnceMs: 2_000,
} as const

const CRASH_LINES = 20
/** Before each line: colours are for terminals, and nobody opens a browser here. */
const PRELUDE = 'export NO_COLOR=1 BROWSER=none FORCE_COLOR= ; unset FORCE_COLOR; '

interface Attempt {
  readonly command: ServedCommand
  readonly startedAtMs: number
}

/** Makes one that is stopped. */
export function createDevServer({ commands, clock, onTarget, onFault }: DevServerDeps): DevServer {
  let state: DevServerState = {
    state: 'stopped',
    command: null,
    port: null,
    ports: [],
    exit: null,
    restartCount: 0,
    problem: null,
  }
  let attempt: Attempt | null = null
  let earlierLog = ''
  /** Ends what waits: a look, or the next start. */
  let watching = new AbortController()
  let changing: Promise<void> = Promise.resolve()

  function change(changes: Partial<DevServerState>): void {
    state = { ...state, ...changes }
  }

  const logNow = (): string => plainLog(attempt?.command.log.read(0).text ?? earlierLog)

  function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(milliseconds, resolve)
      signal.addEventListener(
        'abort',
        () => {
          cancel()
          resolve()
        },
        { once: true },
      )
    })
  }

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
    watch(own, controller.signal).catch(onFault)
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
    await pause(delayMs, controller.signal)
    if (!controller.signal.aborted && attempt === own) await begin(command)
  }

  /** Looks at which ports it listens, until it is over. */
  async function watch({ command, startedAtMs }: Attempt, signal: AbortSignal): Promise<void> {
    const probed = new Map<number, Probed>()
    const ways = new Map<number, PortForward>()
    let otherSinceMs: number | null = null
    let shown: number | null = null
    while (!signal.aborted) {
      const pid = command.pid()
      const ports = pid === null ? [] : await listeningPorts(pid)
      if (signal.aborted) return
      change({ ports })
      for (const port of [...probed.keys()]) if (!ports.includes(port)) probed.delete(port)
      if (shown !== null && !ports.includes(shown)) {
        shown = null
        onTarget(null)
        change({ state: 'starting', port: null })
      }
      if (shown === null) {
        await Promise.all(
          ports
            .filter((port) => !probed.has(port))
            .map(async (port) => {
              const way = ways.get(port) ?? (await command.forwardPort(port))
              ways.set(port, way)
              probed.set(
                port,
                await probePort({ port, connect: way.connect }, { limitMs: SERVER_TIMES.probeMs, clock, signal }),
              )
            }),
        )
        if (signal.aborted) return
        const answering = [...probed].flatMap(([port, found]) => (found === null ? [] : [{ port, ...found }]))
        // One that listens and says nothing yet is asked again.
        for (const [port, found] of probed) if (found === null) probed.delete(port)
        const best = bestOf(answering, printedPorts(logNow()))
        const now = clock.monotonicMs()
        if (best !== null) otherSinceMs ??= now
        const way = best === null ? undefined : ways.get(best.port)
        if (best !== null && way && (best.isHtml || now - (otherSinceMs ?? now) >= SERVER_TIMES.otherPortMs)) {
          shown = best.port
          onTarget(targetAt({ port: best.port, isSecure: best.isSecure, connect: way.connect }))
          change({ state: 'ready', port: best.port, problem: null })
        } else if (now - startedAtMs >= SERVER_TIMES.patienceMs)
          change({ problem: slowInWords(ports, Math.round((now - startedAtMs) / 1_000)) })
      }
      await pause(shown === null ? SERVER_TIMES.lookMs : SERVER_TIMES.watchMs, signal)
    }
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

interface Answering {
  readonly port: number
  readonly isSecure: boolean
  readonly isHtml: boolean
}

/** One with pages before one without, and of those the one that it printed first. */
function bestOf(answering: readonly Answering[], printed: readonly number[]): Answering | null {
  const rank = ({ port, isHtml }: Answering): number => {
    const place = printed.indexOf(port)
    return (isHtml ? 0 : 1_000) + (place < 0 ? 500 : place)
  }
  return [...answering].sort((one, other) => rank(one) - rank(other))[0] ?? null
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

function slowInWords(ports: readonly number[], seconds: number): string {
  return ports.length === 0
    ? `It has run for ${seconds} s and listens at no port`
    : `It has run for ${seconds} s and listens at ${ports.join(', ')}, and answers no request there`
}
