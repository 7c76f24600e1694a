import { type ChildProcess, spawn } from 'node:child_process'
import { connect, Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Clock } from '@holdfast/conversation'
import { childEnvironment } from '@holdfast/tool/process'
import { programOf } from './command-words.ts'

/** A way from this process to a port at which a command listens. Nobody else gets onto it. [SEC13] */
export interface PortForward {
  readonly port: number
  /** A new connection. @throws {PortForwardError} when nobody listens there, or the forward is closed. */
  connect(signal: AbortSignal): Promise<Socket>
  /** Ends it with all its connections. Once is enough, and more is no mistake. */
  close(): Promise<void>
}

/** A port of a command cannot be reached. */
export class PortForwardError extends Error {
  override readonly name = 'PortForwardError'
  readonly code: 'no-such-process' | 'no-network' | 'not-listening' | 'closed'
  readonly port: number

  constructor(code: PortForwardError['code'], { port, message }: { readonly port: number; readonly message: string }) {
    super(message)
    this.code = code
    this.port = port
  }
}

/** Where a port is. */
export interface PortPlace {
  readonly port: number
  /** What goes before a program so that it runs in the network of the commands; null where that is the machine's. */
  readonly before: readonly string[] | null
  readonly clock: Clock
}

/**
 * Opens a way to a port. A process in that network makes each connection and hands the open one over, as only a process
 * that it was started by can be handed one: there is no port, no file and no word by which another could come in.
 */
export function openPortForward({ port, before, clock }: PortPlace): PortForward {
  const sockets = new Set<Socket>()
  const way = before === null ? null : startRelay(port, before)
  let isClosed = false
  return {
    port,
    async connect(signal) {
      if (isClosed || way?.isOver() === true)
        throw new PortForwardError('closed', { port, message: `The way to port ${port} of a command is closed` })
      const limit = new AbortController()
      const cancel = clock.after(CONNECT_MS, () => limit.abort())
      const either = AbortSignal.any([signal, limit.signal])
      try {
        const socket = await (way === null ? reach(port, either) : way.connect(either))
        if (isClosed) socket.destroy()
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
        return socket
      } finally {
        cancel()
      }
    },
    async close() {
      isClosed = true
      for (const socket of sockets) socket.destroy()
      await way?.close()
    },
  }
}

const CONNECT_MS = 10_000
const RELAY = fileURLToPath(new URL(`./port-relay${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url))

interface Relay {
  connect(signal: AbortSignal): Promise<Socket>
  isOver(): boolean
  close(): Promise<void>
}

function startRelay(port: number, before: readonly string[]): Relay {
  const { program, args } = programOf([...before, process.execPath, RELAY, String(port)])
  const child = spawn(program, [...args], {
    cwd: '/',
    env: childEnvironment({}, {}),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  let count = 0
  let isOver = false
  function lose(): void {
    isOver = true
    for (const settle of waiting.values()) settle({ type: 'refused', code: 'the process that makes it has ended' })
    waiting.clear()
  }
  child.once('error', lose)
  child.once('exit', lose)
  child.on('message', (message, handle) => {
    const socket = handle instanceof Socket ? handle : null
    const settle = take(waiting, message)
    if (socket === null) settle?.({ type: 'refused', code: codeOf(message) })
    else if (settle === null) socket.destroy()
    else settle({ type: 'open', socket })
  })
  return {
    async connect(signal) {
      const connectionId = ++count
      const { promise, resolve } = Promise.withResolvers<Answer>()
      const onAbort = (): void => resolve({ type: 'refused', code: 'nobody answered in time' })
      waiting.set(connectionId, resolve)
      signal.addEventListener('abort', onAbort, { once: true })
      if (signal.aborted) onAbort()
      child.send({ connectionId }, () => {})
      try {
        const answer = await promise
        if (answer.type === 'open') return answer.socket
        throw notListening(port, answer.code)
      } finally {
        signal.removeEventListener('abort', onAbort)
        waiting.delete(connectionId)
      }
    },
    isOver: () => isOver,
    close: () => ended(child),
  }
}

type Answer = { readonly type: 'open'; readonly socket: Socket } | { readonly type: 'refused'; readonly code: string }

/** Whose answer it is; null for one that nobody waits for any more. */
function take(waiting: Map<number, (answer: Answer) => void>, message: unknown): ((answer: Answer) => void) | null {
  if (typeof message !== 'object' || message === null || !('connectionId' in message)) return null
  const { connectionId } = message
  return typeof connectionId === 'number' ? (waiting.get(connectionId) ?? null) : null
}

function codeOf(message: unknown): string {
  return typeof message === 'object' && message !== null && 'code' in message ? String(message.code) : 'no reason given'
}

function notListening(port: number, code: string): PortForwardError {
  return new PortForwardError('not-listening', {
    port,
    message: `No command answers at port ${port} of 127.0.0.1 or ::1 (${code})`,
  })
}

/** For commands that share the network of the machine: whoever is on it reaches them. */
async function reach(port: number, signal: AbortSignal): Promise<Socket> {
  let failure = ''
  for (const host of ['127.0.0.1', '::1']) {
    const socket = connect({ host, port, signal })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    socket.once('connect', resolve)
    socket.once('error', reject)
    try {
      await promise
      socket.off('error', reject)
      return socket
    } catch (error) {
      if (!(error instanceof Error)) throw error
      failure = 'code' in error ? String(error.code) : error.message
    }
  }
  throw notListening(port, failure)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGKILL')
  await exit
}
