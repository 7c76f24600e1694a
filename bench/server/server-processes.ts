import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { type LoadedKind, type LoadOrder, LoadSeen } from './load-order.ts'
import { type ThreadTimes, threadTimesOf } from './thread-times.ts'

/** A server in a process of its own. */
export interface ServerProcess {
  readonly kind: LoadedKind
  readonly url: string
  readonly token: string
  /** From its start to the line that says that it is ready, in milliseconds. */
  readonly startMs: number
  /** Processor time so far, in microseconds. */
  cpuUs(): number
  /** Processor time of its threads so far, by what they do. */
  threadTimes(): ThreadTimes
  /** Resident memory, in MiB. */
  memoryMib(): number
  close(): Promise<void>
}

/** What a load cost and showed. */
export interface LoadResult extends LoadSeen {
  readonly cpuUsPerDelta: number
}

type Load = Pick<LoadOrder, 'conversations' | 'deltas' | 'deltasPerSecond'>

const BIN = new URL('../../apps/holdfast/bin/holdfast.js', import.meta.url).pathname
/** Clock ticks of /proc are of this many microseconds. */
const TICK_US = 10_000

/** Starts the provider whose deltas say when they were written. @returns its address. */
export async function startStampedProvider(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { child, line } = await startOwn('stamped-provider-process.ts', [])
  return { url: line.url, close: () => ended(child, 'SIGTERM') }
}

/** Starts a server that asks this provider. Ours is the built program. */
export async function startServer(kind: LoadedKind, provider: string): Promise<ServerProcess> {
  switch (kind) {
    case 'relay':
      return processOf(kind, await startOwn('relay-process.ts', [provider]))
    case 'ai':
      return processOf(kind, await startOwn('ai-process.ts', [provider]))
    case 'holdfast': {
      const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'))
      const program = await startProgram(provider, dataDir, {})
      return {
        ...program,
        async close() {
          await program.close()
          await rm(dataDir, { recursive: true, force: true })
        },
      }
    }
  }
}

/** Starts the built program on a folder that outlives it, with these variables besides. */
export async function startProgram(
  provider: string,
  dataDir: string,
  more: Readonly<Record<string, string>>,
): Promise<ServerProcess & { kill(): Promise<void> }> {
  const flags = ['start', '--no-open', '--json', '--port', '0', '--data-dir', dataDir]
  const quiet = ['--no-detect', '--log-level', 'error']
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, ANTHROPIC_API_KEY: 'key-for-benches', ANTHROPIC_BASE_URL: provider, ...more }
  const begun = performance.now()
  const child = spawn(process.execPath, [BIN, ...flags, ...quiet], { stdio: ['ignore', 'pipe', 'inherit'], env })
  const started = { child, line: StartedLine.parse(await linesOf(child)()), startMs: performance.now() - begun }
  return { ...processOf('holdfast', started), kill: () => ended(child, 'SIGKILL') }
}

/** Loads a server from a process of its own. @throws when not every delta was shown. */
export async function load(server: ServerProcess, order: Load): Promise<LoadResult> {
  const before = server.cpuUs()
  const seen = await (await startLoad(server, { ...order, turns: 1, stays: false })).turn()
  return { ...seen, cpuUsPerDelta: (server.cpuUs() - before) / seen.shown }
}

/** Loads a server with clients that stay and follow. @returns what ends them. @throws when not every delta was shown. */
export async function loadAndStay(server: ServerProcess, order: Load): Promise<() => Promise<void>> {
  const { child, turn } = await startLoad(server, { ...order, turns: 1, stays: true })
  await turn()
  return async () => {
    const exited = once(child, 'exit')
    child.disconnect()
    await exited
  }
}

/** A client that has made its conversations and waits. */
export interface Loader {
  readonly child: ChildProcess
  /** Carries out the next turn of every conversation. @throws when not every delta was shown. */
  turn(): Promise<LoadSeen>
}

/** Starts a client in a process of its own, which ends after its last turn. @returns when its conversations are made. */
export async function startLoad(
  { kind, url, token }: ServerProcess,
  order: Load & Pick<LoadOrder, 'turns' | 'stays'>,
): Promise<Loader> {
  const argument: LoadOrder = { ...order, kind, url, token }
  const child = spawnOwn('load-process.ts', [JSON.stringify(argument)])
  const next = linesOf(child)
  await next()
  const wanted = order.conversations * order.deltas
  return {
    child,
    async turn() {
      child.send('turn')
      const seen = LoadSeen.parse(await next())
      if (seen.shown < wanted * 0.99) throw new Error(`${kind} showed ${seen.shown} deltas of ${wanted}`)
      return seen
    },
  }
}

/** What a server says when it is ready. */
const StartedLine = z.object({ url: z.string(), token: z.string().optional() })

interface Started {
  readonly child: ChildProcess
  readonly line: z.infer<typeof StartedLine>
  readonly startMs: number
}

async function startOwn(file: string, args: readonly string[]): Promise<Started> {
  const begun = performance.now()
  const child = spawnOwn(file, args)
  return { child, line: StartedLine.parse(await linesOf(child)()), startMs: performance.now() - begun }
}

function spawnOwn(file: string, args: readonly string[]): ChildProcess {
  const path = new URL(`./${file}`, import.meta.url).pathname
  return spawn(process.execPath, ['--conditions=@holdfast/source', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
}

/** The lines of a program one after the other, each of which is JSON. */
function linesOf(child: ChildProcess): () => Promise<unknown> {
  let rest = ''
  const lines: string[] = []
  let heard = () => {}
  child.stdout?.on('data', (piece) => {
    const [last = '', ...whole] = (rest + piece).split('\n').reverse()
    rest = last
    lines.push(...whole.reverse())
    heard()
  })
  return async () => {
    while (lines.length === 0) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      heard = resolve
      const onExit = (code: number | null) => reject(new Error(`A process ended with ${code} before it said anything`))
      child.once('exit', onExit)
      await promise
      child.off('exit', onExit)
    }
    return JSON.parse(lines.shift() ?? '')
  }
}

function processOf(kind: LoadedKind, { child, line, startMs }: Started): ServerProcess {
  return {
    kind,
    url: line.url,
    token: line.token ?? 'none',
    startMs,
    cpuUs() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) * TICK_US
    },
    threadTimes: () => threadTimesOf(child.pid ?? 0),
    memoryMib() {
      const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
      return Number(found?.[1]) / 1_024
    },
    close: () => ended(child, 'SIGTERM'),
  }
}

async function ended(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
