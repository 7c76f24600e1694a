import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type LaunchNoted,
  type LaunchOrder,
  type LaunchReport,
  PIPE_NUMBERS,
  type PipeNumber,
  pipeGreeting,
} from './launch-messages.ts'

/** How a program ended; both are null where nobody knows. */
export interface ProcessExit {
  readonly exitCode: number | null
  readonly signalCode: NodeJS.Signals | null
}

/** What a launcher tells of one launch. */
export interface LaunchListener {
  readonly onPipe: (number: PipeNumber, pipe: Socket) => void
  readonly onStarted: (pid: number) => void
  readonly onNotStarted: (failure: { readonly code: string | null; readonly message: string }) => void
  /** Called once after `onStarted`, also where the launcher is gone: then nobody knows how it ended. */
  readonly onExited: (exit: ProcessExit) => void
  /** The launcher is gone: pipes that have not come do not come. Called once for each of them. */
  readonly onLost: () => void
}

/** What is said of a program where its launcher was killed before it could say anything. */
export const LAUNCHER_GONE = {
  code: null,
  message: 'The process that starts programs was killed, and this program is ended with it',
} as const

/** A small process that starts programs. */
export interface Launcher {
  /** Null where it could not be started. */
  readonly pid: number | null
  /** Whether it takes orders. */
  isOpen(): boolean
  launch(order: Omit<LaunchOrder, 'type'>, listener: LaunchListener): void
  /** The group of a program is noted where a kill of ours does not reach. */
  noted(launchId: string): void
}

const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
const PROGRAM = fileURLToPath(new URL(`./launcher-process${EXTENSION}`, import.meta.url))
/** Without a program that runs it goes after so long, in milliseconds: it takes memory as any process of Node.js. */
const IDLE_MS = 60_000

/**
 * Starts a launcher. To start a program the system copies the tables of all memory of whoever starts it, who does
 * nothing else meanwhile: this one has little memory, and nobody waits for it. It ends with this process. [RUN33]
 */
export function startLauncher(): Launcher {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-launcher-'))
  const path = join(folder, 'pipes')
  const server = createServer()
  const listening = new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  // A group of its own: what a terminal tells the server is not for it.
  const child = fork(PROGRAM, [path], { cwd: '/', env: {}, execArgv: [], detached: true, stdio: 'ignore' })
  return watched({ child, server, folder, listening })
}

interface Parts {
  readonly child: ChildProcess
  readonly server: Server
  readonly folder: string
  readonly listening: Promise<void>
}

interface Launch {
  readonly listener: LaunchListener
  isStarted: boolean
}

function watched({ child, server, folder, listening }: Parts): Launcher {
  const launches = new Map<string, Launch>()
  const greetings = new Map<string, { readonly number: PipeNumber; readonly listener: LaunchListener }>()
  let isOpen = true
  let idle: NodeJS.Timeout | null = null

  function close(): void {
    if (!isOpen) return
    isOpen = false
    if (idle !== null) clearTimeout(idle)
    process.off('exit', close)
    if (child.connected) child.disconnect()
    server.close()
    rmSync(folder, { recursive: true, force: true })
    for (const { listener } of greetings.values()) listener.onLost()
    greetings.clear()
    for (const [launchId, { listener, isStarted }] of launches) {
      launches.delete(launchId)
      if (isStarted) listener.onExited({ exitCode: null, signalCode: null })
      else listener.onNotStarted(LAUNCHER_GONE)
    }
  }

  function end(launchId: string): void {
    launches.delete(launchId)
    restWhereIdle()
  }

  /** What waits for nothing holds no process open. */
  function restWhereIdle(): void {
    if (!isOpen || launches.size > 0 || greetings.size > 0) return
    child.channel?.unref()
    server.unref()
    if (idle !== null) clearTimeout(idle)
    idle = setTimeout(close, IDLE_MS)
    idle.unref()
  }

  function forgetPipes(launchId: string): void {
    for (const number of PIPE_NUMBERS) greetings.delete(pipeGreeting(launchId, number))
  }

  child.unref()
  child.channel?.unref()
  server.unref()
  process.on('exit', close)
  child.on('error', close)
  // Without pipes, such as when too many files are open, no program can be heard.
  server.on('error', close)
  child.once('disconnect', close)
  child.on('message', (said: LaunchReport) => {
    const launch = launches.get(said.launchId)
    if (launch === undefined) return
    switch (said.type) {
      case 'started':
        launch.isStarted = true
        launch.listener.onStarted(said.pid)
        return
      case 'not-started':
        forgetPipes(said.launchId)
        end(said.launchId)
        launch.listener.onNotStarted(said)
        return
      case 'exited':
        end(said.launchId)
        launch.listener.onExited({ exitCode: said.exitCode, signalCode: said.signalCode })
    }
  })
  server.on('connection', (pipe) => {
    readGreeting(pipe, (greeting) => {
      const awaited = greetings.get(greeting)
      // Each is taken once, however often somebody says it. A brief program has ended before its pipes are heard.
      greetings.delete(greeting)
      restWhereIdle()
      if (awaited === undefined) pipe.destroy()
      else awaited.listener.onPipe(awaited.number, pipe)
    })
  })

  return {
    pid: child.pid ?? null,
    isOpen: () => isOpen,
    launch(order, listener) {
      const { launchId } = order
      if (idle !== null) clearTimeout(idle)
      launches.set(launchId, { listener, isStarted: false })
      for (const number of order.hasInput ? PIPE_NUMBERS : PIPE_NUMBERS.slice(1))
        greetings.set(pipeGreeting(launchId, number), { number, listener })
      child.channel?.ref()
      server.ref()
      listening.then(() => child.send({ type: 'launch', ...order } satisfies LaunchOrder), close)
    },
    noted(launchId) {
      if (child.connected) child.send({ type: 'noted', launchId } satisfies LaunchNoted)
    },
  }
}

/** Reads what a pipe says first, and nothing of what comes behind it. */
function readGreeting(pipe: Socket, take: (greeting: string) => void): void {
  const length = pipeGreeting(crypto.randomUUID(), 0).length
  // A pipe that breaks ends like one that is closed, and one that says nothing holds nobody up.
  pipe.on('error', () => {})
  pipe.unref()
  const look = (): void => {
    const greeting: unknown = pipe.read(length)
    if (!(greeting instanceof Buffer)) return
    pipe.off('readable', look)
    pipe.ref()
    take(greeting.toString('latin1'))
  }
  pipe.on('readable', look)
}
