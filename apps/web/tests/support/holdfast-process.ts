import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT } from './root.ts'

/** A real Holdfast in a process of its own. */
export interface HoldfastProcess {
  readonly url: string
  readonly token: string
  readonly port: number
  /** Asks it to end. @returns its exit code. */
  end(): Promise<number | null>
  /** Ends it without asking. */
  kill(): Promise<void>
}

/** Root reads everything: the program that runs behind this has only the rights that the modes of files give. */
const WITH_USUAL_RIGHTS =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'] : []

/** Starts `holdfast start` on a data folder; port 0 takes any. Variables are added to those of the tests; one that says where Ollama is has it looked for. */
export async function startHoldfast(
  dataDir: string,
  port: number,
  variables: Readonly<Record<string, string>> = {},
  { usualRights }: { readonly usualRights: boolean } = { usualRights: false },
): Promise<HoldfastProcess> {
  const args = argumentsOf(dataDir, port, variables)
  const started = [process.execPath, join(ROOT, 'apps', 'holdfast', 'bin', 'holdfast.js'), ...args]
  const [program = process.execPath, ...rest] = usualRights ? [...WITH_USUAL_RIGHTS, ...started] : started
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...variables },
  })
  return whenReady(child, exitOf(child))
}

/** A Holdfast in a process that may have served others before, and may serve others after it. */
export interface LoadedHoldfast extends HoldfastProcess {
  /** Asks it to end, and keeps its process for the next that is started. One that does not end soon is ended without asking. */
  leave(): Promise<void>
}

interface LoadedProcess {
  readonly child: ChildProcess
  readonly exited: Promise<number | null>
  /** How many it has served. */
  served: number
}

/** Those that wait for the next data folder; they end with the process of the tests. */
const waiting: LoadedProcess[] = []
/** What a process has served stays in its memory in part. */
const SERVED_AT_MOST = 40
/** A server that ends in order takes some hundredths of a second, and longer where something runs that it stops, in milliseconds. */
const LEFT_AFTER_MS = 3_000

/** Starts `holdfast start` on a data folder in a process that has loaded the program, where one waits. */
export async function startLoaded(
  dataDir: string,
  port: number,
  variables: Readonly<Record<string, string>>,
): Promise<LoadedHoldfast> {
  const loaded = waiting.pop() ?? loadProgram()
  const { child, exited } = loaded
  loaded.served += 1
  child.send({
    type: 'start',
    args: argumentsOf(dataDir, port, variables),
    env: { ...process.env, ...variables },
  })
  const ready = await whenReady(child, exited)
  return {
    ...ready,
    async leave() {
      const limit = AbortSignal.timeout(LEFT_AFTER_MS)
      const left = once(child, 'message', { signal: limit }).catch(() => null)
      if (child.connected) child.send({ type: 'leave' })
      const isLeft = Array.isArray(await Promise.race([left, exited]))
      if (isLeft && loaded.served < SERVED_AT_MOST) waiting.push(loaded)
      else await ready.kill()
    },
  }
}

function loadProgram(): LoadedProcess {
  const child = fork(join(import.meta.dirname, 'loaded-program.ts'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    // What it keeps of the program is long-lived: with a small nursery it is copied again and again.
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=64'],
  })
  return { child, exited: exitOf(child), served: 0 }
}

function argumentsOf(dataDir: string, port: number, variables: Readonly<Record<string, string>>): readonly string[] {
  const detect = variables['OLLAMA_HOST'] === undefined ? ['--no-detect'] : []
  return ['start', '--json', '--no-open', ...detect, '--port', String(port), '--data-dir', dataDir]
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on('exit', resolve))
}

async function whenReady(child: ChildProcess, exited: Promise<number | null>): Promise<HoldfastProcess> {
  const line = await Promise.race([
    firstLine(child),
    exited.then((code) => Promise.reject(new Error(`holdfast ended with ${code} before it was ready`))),
  ])
  const ready = JSON.parse(line) as { url: string; token: string }
  return {
    ...ready,
    port: Number(new URL(ready.url).port),
    end() {
      child.kill('SIGTERM')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    child.stdout?.on('data', function read(piece) {
      text += piece
      const end = text.indexOf('\n')
      if (end < 0) return
      child.stdout?.off('data', read).resume()
      resolve(text.slice(0, end))
    })
  })
}
