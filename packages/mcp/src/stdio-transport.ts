import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Clock } from '@holdfast/conversation'
import { childEnvironment, endGroup, type ProcessRegister } from '@holdfast/tool/process'
import { deserializeMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { createLineReader } from './line-reader.ts'
import type { ServerLog } from './server-log.ts'
import { SERVER_LIMITS, type StdioReach } from './server-settings.ts'

/** What a server's process is started with. */
export interface StdioTransportOptions {
  readonly reach: StdioReach
  /** Our own environment; the child gets the harmless part of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** Knows the group while it runs; null where nobody looks for left ones. [RUN14] */
  readonly register: ProcessRegister | null
  readonly log: ServerLog
}

/**
 * Speaks with a server over the pipes of a process group of its own. What it prints beside messages is logged, what
 * it sends too fast waits in its pipe, and its whole group ends with the connection. [TOOL9, STOP2]
 */
export function createStdioTransport(options: StdioTransportOptions): Transport {
  const { reach, clock, register, log } = options
  let child: ChildProcess | null = null
  let ended: Promise<void> = Promise.resolve()

  function take(line: string): void {
    if (line.trim() === '') return
    let message: ReturnType<typeof deserializeMessage>
    try {
      message = deserializeMessage(line)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      log.add('connection', `It printed what is no message: ${line.slice(0, 200)}`)
      return
    }
    transport.onmessage?.(message)
  }

  /** Ends what is left of the group once its main process is gone, then tells that the connection is over. */
  async function finish(process: ChildProcess): Promise<void> {
    await exitOf(process)
    await closeWithin(process, clock)
    const groupId = process.pid
    if (groupId !== undefined) {
      await endGroup(groupId, { clock, graceMs: SERVER_LIMITS.graceMs })
      register?.forget(groupId)
    }
    for (const stream of [process.stdin, process.stdout, process.stderr]) stream?.destroy()
    child = null
    log.add('connection', endOf(process))
    transport.onclose?.()
  }

  const transport: Transport = {
    async start() {
      const started = spawnServer(reach, options.environment)
      if (started.pid !== undefined) register?.note(started.pid)
      await spawned(started, reach)
      child = started
      started.on('error', (error) => transport.onerror?.(error))
      started.stdin?.on('error', (error) => log.add('connection', `It does not read: ${error.message}`))
      started.stderr?.on('data', (bytes: Buffer) => log.addBytes(bytes))
      const reader = createLineReader({
        clock,
        take,
        onTooLong() {
          const limit = SERVER_LIMITS.messageBytes
          transport.onerror?.(new Error(`It sent a message of more than ${limit} bytes; the connection is ended`))
          void transport.close()
        },
      })
      if (started.stdout) reader.read(started.stdout)
      ended = finish(started)
    },
    async send(message) {
      const input = child?.stdin
      if (!input?.writable) throw new Error('The server has ended')
      if (input.write(serializeMessage(message))) return
      // A server that does not read keeps its own calls waiting, and they have limits.
      await new Promise<void>((resolve) => {
        input.once('drain', resolve)
        input.once('close', resolve)
      })
    },
    async close() {
      const process = child
      if (!process) return ended
      process.stdin?.end()
      const exited = exitOf(process)
      const late = Promise.withResolvers<void>()
      const cancel = clock.after(SERVER_LIMITS.graceMs, late.resolve)
      await Promise.race([exited, late.promise])
      cancel()
      if (process.pid !== undefined) await endGroup(process.pid, { clock, graceMs: SERVER_LIMITS.graceMs })
      await ended
    },
  }
  return transport
}

function spawnServer({ command, args, folder, environment }: StdioReach, own: StdioTransportOptions['environment']) {
  return spawn(command, [...args], {
    ...(folder === null ? {} : { cwd: folder }),
    env: childEnvironment(own, environment),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
}

function spawned(process: ChildProcess, reach: StdioReach): Promise<void> {
  return new Promise((resolve, reject) => {
    process.once('spawn', resolve)
    process.once('error', (error) => reject(inWords(error, reach)))
  })
}

/** The system says the same of a program and of a folder that is not there. */
function inWords(cause: Error, { command, folder }: StdioReach): Error {
  if (!('code' in cause) || cause.code !== 'ENOENT') return cause
  if (folder !== null && !existsSync(folder)) return new Error(`There is no folder ${folder}`, { cause })
  return new Error(`There is no program ${command}`, { cause })
}

function exitOf(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => process.once('exit', () => resolve()))
}

/** How long pipes may stay open when their main process is gone. */
const DRAIN_MS = 200

async function closeWithin(process: ChildProcess, clock: Clock): Promise<void> {
  const limit = Promise.withResolvers<void>()
  const cancel = clock.after(DRAIN_MS, limit.resolve)
  process.once('close', limit.resolve)
  await limit.promise
  cancel()
}

function endOf({ exitCode, signalCode }: ChildProcess): string {
  return signalCode === null ? `It ended with exit code ${exitCode}.` : `It was ended by ${signalCode}.`
}
