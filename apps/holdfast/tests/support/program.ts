import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** A program that runs, and the way to talk to its API. */
export interface Program {
  readonly url: string
  readonly token: string
  /** Everything that it has written, both streams. */
  readonly output: () => string
  call(method: string, path: string, body?: unknown): Promise<unknown>
  /** Asks it to end and waits for that. @returns the exit code. */
  stop(): Promise<number | null>
  /** Ends it as a lost machine would. Does nothing to one that has ended. */
  kill(): Promise<void>
  /** Has it stand still, as a machine that swaps or is moved would; `proceed` has it go on. */
  pause(): void
  proceed(): void
  /** The exit code when it has ended. */
  readonly ended: Promise<number | null>
}

/** Starts the built program with these variables and no others of providers. */
export async function startProgram(
  dataDir: string,
  variables: Readonly<Record<string, string>>,
  more: readonly string[] = [],
): Promise<Program> {
  const main = join(import.meta.dirname, '..', '..', 'bin', 'holdfast.js')
  const flags = ['start', '--no-open', '--json', '--port', '0', '--data-dir', dataDir, '--no-detect', ...more]
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [main, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, ...variables },
  })
  let output = ''
  let stdout = ''
  const ready = Promise.withResolvers<{ url: string; token: string }>()
  child.stderr.on('data', (piece) => {
    output += piece
  })
  child.stdout.on('data', (piece) => {
    output += piece
    stdout += piece
    if (stdout.includes('\n')) ready.resolve(JSON.parse(stdout))
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  void ended.then((code) => ready.reject(new Error(`The program ended with ${code}: ${output}`)))
  const { url, token } = await ready.promise
  return {
    url,
    token,
    output: () => output,
    async call(method, path, body) {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return answer.json()
    },
    ended,
    pause: () => void child.kill('SIGSTOP'),
    proceed: () => void child.kill('SIGCONT'),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}
