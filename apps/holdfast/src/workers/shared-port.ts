import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { Config } from '../config.ts'
import { toListenError } from '../serving/listen-error.ts'

/** Lines that are kept while nobody can take them; more are closed. */
const MOST_KEPT = 1_000

/** Somebody who serves lines. */
export interface Taker {
  /** How many lines are on their way to it: one that stands still takes none. */
  readonly onTheWay: () => number
  take(line: Socket): void
}

/** The port that several processes serve. It stays open while all of them are gone. [SCALE4] */
export interface SharedPort {
  readonly port: number
  /** From now on this one is given lines, until it is told otherwise. */
  add(taker: Taker): void
  remove(taker: Taker): void
  /** Takes no more lines. */
  close(): void
  /** Gives a line to another, as it came. */
  pass(line: Socket): void
}

/** Listens. @throws {CliError} when the address cannot be listened on. */
export async function openSharedPort(config: Pick<Config, 'host' | 'port'>): Promise<SharedPort> {
  let takers: readonly Taker[] = []
  const kept = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true }, pass)

  /** Of those that have the fewest lines on their way, the one whose turn it is. */
  function pass(line: Socket): void {
    if (line.destroyed) return
    const fewest = Math.min(...takers.map(({ onTheWay }) => onTheWay()))
    const taker = takers.find(({ onTheWay }) => onTheWay() === fewest)
    if (taker) {
      takers = [...takers.filter((other) => other !== taker), taker]
      taker.take(line)
    } else keep(line)
  }

  function keep(line: Socket): void {
    if (kept.size >= MOST_KEPT) {
      line.destroy()
      return
    }
    line.on('error', () => {})
    line.once('close', () => kept.delete(line))
    kept.add(line)
  }

  server.listen(config.port, config.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw toListenError(error, config) ?? error
  }
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : config.port,
    pass,
    add(taker) {
      takers = [...takers, taker]
      for (const line of [...kept]) {
        kept.delete(line)
        pass(line)
      }
    },
    remove(taker) {
      takers = takers.filter((other) => other !== taker)
    },
    close() {
      server.close()
      for (const line of kept) line.destroy()
    },
  }
}
