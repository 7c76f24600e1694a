import type { Clock } from '@holdfast/conversation'
import type { PortForward, ServedCommand } from '@holdfast/toolbox'
import type { Target } from '../proxy/target.ts'
import type { DevServerState } from './dev-server-state.ts'
import { listeningPorts } from './listening-ports.ts'
import { targetAt } from './machine-port.ts'
import { printedPorts } from './plain-log.ts'
import { type Probed, probePort } from './probe-port.ts'

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

/** What is watched, and who is told. */
export interface WatchedServer {
  readonly command: ServedCommand
  readonly startedAtMs: number
  readonly log: () => string
  readonly change: (changes: Partial<DevServerState>) => void
  readonly onTarget: (target: Target | null) => void
  readonly clock: Clock
}

/** Waits so long, or until the signal fires. */
export function pauseOf(clock: Clock): (milliseconds: number, signal: AbortSignal) => Promise<void> {
  return (milliseconds, signal) =>
    new Promise((resolve) => {
      const cancel = clock.after(milliseconds, resolve)
      const onAbort = (): void => {
        cancel()
        resolve()
      }
      signal.addEventListener('abort', onAbort, { once: true })
      if (signal.aborted) onAbort()
    })
}

/** Looks at which ports a command listens, and which of them shows pages, until it is over. [PREV2] */
export async function watchPorts(
  { command, startedAtMs, log, change, onTarget, clock }: WatchedServer,
  signal: AbortSignal,
): Promise<void> {
  const pause = pauseOf(clock)
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
      const best = bestOf(answering, printedPorts(log()))
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

function slowInWords(ports: readonly number[], seconds: number): string {
  return ports.length === 0
    ? `It has run for ${seconds} s and listens at no port`
    : `It has run for ${seconds} s and listens at ${ports.join(', ')}, and answers no request there`
}
