import { existsSync } from 'node:fs'
import type { Clock } from '@holdfast/conversation'
import {
  childEnvironment,
  endGroup,
  LaunchError,
  launchProgram,
  type ProcessExit,
  type ProcessRegister,
  type RunningProgram,
} from '@holdfast/tool/process'
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
  const { clock, register, log } = options
  let child: RunningProgram | null = null
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
  async function finish(process: RunningProgram): Promise<void> {
    const exit = await process.exited
    await closeWithin(process, clock)
    await endGroup(process.pid, { clock, graceMs: SERVER_LIMITS.graceMs })
    register?.forget(process.pid)
    for (const stream of [process.stdin, process.stdout, process.stderr]) stream?.destroy()
    child = null
    log.add('connection', endOf(exit))
    transport.onclose?.()
  }

  const transport: Transport = {
    async start() {
      const started = await launchServer(options)
      child = started
      started.stdin?.on('error', (error) => log.add('connection', `It does not read: ${error.message}`))
      started.stderr.on('data', (bytes: Buffer) => log.addBytes(bytes))
      const reader = createLineReader({
        clock,
        take,
        onTooLong() {
          const limit = SERVER_LIMITS.messageBytes
          transport.onerror?.(new Error(`It sent a message of more than ${limit} bytes; the connection is ended`))
          void transport.close()
        },
      })
      reader.read(started.stdout)
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
      const late = Promise.withResolvers<void>()
      const cancel = clock.after(SERVER_LIMITS.graceMs, late.resolve)
      await Promise.race([process.exited, late.promise])
      cancel()
      await endGroup(process.pid, { clock, graceMs: SERVER_LIMITS.graceMs })
      await ended
    },
  }
  return transport
}

async function launchServer({ reach, environment: own, register }: StdioTransportOptions): Promise<RunningProgram> {
  const { command: program, args, folder, environment } = reach
  try {
    return await launchProgram({
      program,
      args,
      folder: folder ?? process.cwd(),
      environment: childEnvironment(own, environment),
      hasInput: true,
      register,
    })
  } catch (error) {
    throw error instanceof LaunchError ? inWords(error, reach) : error
  }
}

/** The system says the same of a program and of a folder that is not there. */
function inWords(cause: LaunchError, { command, folder }: StdioReach): Error {
  if (cause.code !== 'ENOENT') return cause
  if (folder !== null && !existsSync(folder)) return new Error(`There is no folder ${folder}`, { cause })
  return new Error(`There is no program ${command}`, { cause })
}

/** How long pipes may stay open when their main process is gone. */
const DRAIN_MS = 200

async function closeWithin({ closed }: RunningProgram, clock: Clock): Promise<void> {
  const limit = Promise.withResolvers<void>()
  const cancel = clock.after(DRAIN_MS, limit.resolve)
  await Promise.race([closed, limit.promise])
  cancel()
}

function endOf({ exitCode, signalCode }: ProcessExit): string {
  if (signalCode !== null) return `It was ended by ${signalCode}.`
  return exitCode === null ? 'It ended, and nobody can tell how.' : `It ended with exit code ${exitCode}.`
}
