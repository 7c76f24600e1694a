import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** A real Redis server, which a test disturbs. */
export interface Redis {
  readonly url: string
  readonly port: number
  start(): Promise<void>
  /** Ends it as a lost machine would. */
  kill(): Promise<void>
  /** It stands still, and its connections stay open. */
  pause(): void
  resume(): void
  /** Sends a command, such as FLUSHALL. @returns the first line of the answer. */
  command(text: string): Promise<string>
  stop(): Promise<void>
}

/** Readies a server of its own on a free port, from HOLDFAST_REDIS_SERVER or where Debian puts it. It is not started yet. */
export async function prepareRedis(password: string | null): Promise<Redis> {
  const program = findProgram()
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'hf-redis-'))
  const guarded = password === null ? [] : ['--requirepass', password]
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  let child: ChildProcess | null = null

  async function start(): Promise<void> {
    const started = spawn(program, [...flags, ...guarded], { stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    let said = ''
    await new Promise<void>((resolve, reject) => {
      started.stdout.on('data', (piece) => {
        said += piece
        if (said.includes('Ready to accept connections')) resolve()
      })
      started.on('exit', (code) => reject(new Error(`Redis ended with ${code}: ${said}`)))
    })
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const ending = child
    child = null
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = once(ending, 'exit')
    ending.kill('SIGCONT')
    ending.kill(signal)
    await ended
  }

  return {
    url: password === null ? `redis://127.0.0.1:${port}` : `redis://:${password}@127.0.0.1:${port}`,
    port,
    start,
    kill: () => end('SIGKILL'),
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    command: (text) =>
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(`${text}\r\n`))
        socket.once('data', (answer) => {
          socket.destroy()
          resolve(answer.toString().split('\r\n')[0] ?? '')
        })
        socket.once('error', reject)
      }),
    async stop() {
      await end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function findProgram(): string {
  const places = [process.env['HOLDFAST_REDIS_SERVER'] ?? '', '/usr/bin/redis-server', '/usr/local/bin/redis-server']
  const found = places.find((place) => place !== '' && existsSync(place))
  if (found !== undefined) return found
  throw new Error('No Redis was found: install one (Debian: redis-server), or set HOLDFAST_REDIS_SERVER to the program')
}
