import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LoadedKind, type LoadOrder, LoadSeen } from './load-order.ts'

/** A server in a process of its own. */
export interface ServerProcess {
  readonly kind: LoadedKind
  readonly url: string
  readonly token: string
  /** From its start to the line that says that it is ready, in milliseconds. */
  readonly startMs: number
  /** Processor time so far, in microseconds. */
  cpuUs(): number
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
      const program = await startProgram(provider, dataDir)
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

/** Starts the built program on a folder that outlives it. */
export async function startProgram(
  provider: string,
  dataDir: string,
): Promise<ServerProcess & { kill(): Promise<void> }> {
  const flags = ['start', '--no-open', '--json', '--port', '0', '--data-dir', dataDir]
  const quiet = ['--no-detect', '--log-level', 'error']
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, ANTHROPIC_API_KEY: 'key-for-benches', ANTHROPIC_BASE_URL: provider }
  const begun = performance.now()
  const child = spawn(process.execPath, [BIN, ...flags, ...quiet], { stdio: ['ignore', 'pipe', 'inherit'], env })
  const started = { child, line: await firstLine(child), startMs: performance.now() - begun }
  return { ...processOf('holdfast', started), kill: () => ended(child, 'SIGKILL') }
}

/** Loads a server from a process of its own. @throws when not every delta was shown. */
export async function load(server: ServerProcess, order: Load): Promise<LoadResult> {
  const before = server.cpuUs()
  const { seen } = await startLoad(server, { ...order, stays: false })
  return { ...seen, cpuUsPerDelta: (server.cpuUs() - before) / seen.shown }
}

/** Loads a server with clients that stay and follow. @returns what ends them. @throws when not every delta was shown. */
export async function loadAndStay(server: ServerProcess, order: Load): Promise<() => Promise<void>> {
  const { child } = await startLoad(server, { ...order, stays: true })
  return async () => {
    const exited = once(child, 'exit')
    child.disconnect()
    await exited
  }
}

async function startLoad(
  { kind, url, token }: ServerProcess,
  order: Load & Pick<LoadOrder, 'stays'>,
): Promise<{ readonly child: ChildProcess; readonly seen: LoadSeen }> {
  const argument: LoadOrder = { ...order, kind, url, token }
  const child = spawnOwn('load-process.ts', [JSON.stringify(argument)])
  const seen = LoadSeen.parse(await firstLine(child))
  const wanted = order.conversations * order.deltas
  if (seen.shown < wanted * 0.99) throw new Error(`${kind} showed ${seen.shown} deltas of ${wanted}`)
  return { child, seen }
}

interface Started {
  readonly child: ChildProcess
  readonly line: { readonly url: string; readonly token?: string }
  readonly startMs: number
}

async function startOwn(file: string, args: readonly string[]): Promise<Started> {
  const begun = performance.now()
  const child = spawnOwn(file, args)
  return { child, line: await firstLine(child), startMs: performance.now() - begun }
}

function spawnOwn(file: string, args: readonly string[]): ChildProcess {
  const path = new URL(`./${file}`, import.meta.url).pathname
  return spawn(process.execPath, ['--conditions=@holdfast/source', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
}

/** The first line of a program, which is JSON. */
async function firstLine(child: ChildProcess) {
  let text = ''
  const line = Promise.withResolvers<string>()
  child.stdout?.on('data', (piece) => {
    text += piece
    const [first, ...more] = text.split('\n')
    if (first !== undefined && more.length > 0) line.resolve(first)
  })
  child.once('exit', (code) => line.reject(new Error(`A process ended with ${code} before it said anything`)))
  return JSON.parse(await line.promise)
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
