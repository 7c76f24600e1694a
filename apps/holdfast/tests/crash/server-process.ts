import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import * as z from 'zod'

/** A running server that can be killed. */
export interface ServerProcess {
  /** Calls a route; rejects when the server is gone. */
  call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown>
  /** Ends it at once, as kill -9 does, and waits until it is gone. */
  kill(): Promise<void>
  /** Where it listens, and its start-up token. */
  readonly url: string
  readonly token: string
  /** Milliseconds from the start of the process until it was ready. */
  readonly startMs: number
}

const Ready = z.object({ url: z.string(), token: z.string() })
const READY_LIMIT_MS = 60_000
const CALL_LIMIT_MS = 20_000
const MOST_SAID = 4_000

/** Starts the program on a data folder and waits until it is ready. */
export async function startServerProcess(dataDir: string): Promise<ServerProcess> {
  const startedAt = performance.now()
  const main = join(import.meta.dirname, '..', '..', 'bin', 'holdfast.js')
  const args = ['start', '--no-open', '--no-detect', '--json', '--port', '0', '--data-dir', dataDir]
  const child = spawn(process.execPath, [main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (piece) => {
    said = `${said}${piece}`.slice(-MOST_SAID)
  })
  const closed = once(child, 'close')
  const { url, token } = Ready.parse(JSON.parse(await firstLine(child)))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    url,
    token,
    startMs: performance.now() - startedAt,
    async call(method, path, body) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers,
        ...sent,
        signal: AbortSignal.timeout(CALL_LIMIT_MS),
      })
      const text = await answer.text()
      if (!answer.ok) throw new RefusedCallError(answer.status, `${method} ${path}: ${answer.status} ${text}`)
      return JSON.parse(text)
    },
    async kill() {
      if (child.exitCode !== null) throw new Error(`The server had ended by itself with ${child.exitCode}: ${said}`)
      child.kill('SIGKILL')
      await closed
    },
  }
}

/** The server answered that it does not do it. */
export class RefusedCallError extends Error {
  override readonly name = 'RefusedCallError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    const limit = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`The server was not ready after ${READY_LIMIT_MS} ms: ${stderr}`))
    }, READY_LIMIT_MS)
    child.stderr?.on('data', (piece) => {
      stderr += piece
    })
    child.stdout?.on('data', (piece) => {
      stdout += piece
      if (!stdout.includes('\n')) return
      clearTimeout(limit)
      resolve(stdout)
    })
    child.once('exit', (code) => {
      clearTimeout(limit)
      reject(new Error(`The server ended with ${code} before it was ready: ${stderr}`))
    })
  })
}
