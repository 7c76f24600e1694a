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
import { AgentFailure } from './agent-failure.ts'
import type { ExternalAgent } from './known-agents.ts'
import { AGENT_LIMITS } from './parts/limits.ts'
import { createMessageLines } from './parts/message-lines.ts'
import { withoutValues } from './parts/without-values.ts'

/** What programs of agents are started with. */
export interface ProcessDeps {
  readonly clock: Clock
  /** Our own environment; the program gets the harmless part of it. [SEC4] */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Knows the groups while they run, so that a killed process of ours leaves none. [RUN14] */
  readonly register: ProcessRegister | null
}

/** The program of an agent, in a process group of its own. [AGENT7] */
export interface AgentProcess {
  readonly pid: number
  /** Sends one line. */
  write(line: string): Promise<void>
  isOpen(): boolean
  /** Resolves when the whole group has gone, with how it ended in words. */
  readonly ended: Promise<string>
  /** The end of what it printed for people, in one line. */
  said(): string
  /** Ends the group: TERM, and KILL after the grace. */
  close(): Promise<void>
}

/** What becomes of its lines. */
export interface LineOutlets {
  readonly onLine: (line: string) => void
  readonly onTooLong: () => void
}

/** Starts the program of an agent. @throws {AgentFailure} where it is not there. */
export async function startAgentProcess(
  { clock, environment, register }: ProcessDeps,
  {
    agent,
    folder,
    env,
  }: { readonly agent: ExternalAgent; readonly folder: string; readonly env: ExternalAgent['env'] },
  outlets: LineOutlets,
): Promise<AgentProcess> {
  const running = await launch(agent, {
    program: agent.command,
    args: [...agent.args],
    folder,
    environment: childEnvironment(environment, { ...agent.env, ...env }),
    hasInput: true,
    register,
  })
  let said = ''
  const lines = createMessageLines(outlets)
  running.stdout.on('data', (bytes: Buffer) => lines.take(bytes))
  running.stderr.on('data', (bytes: Buffer) => {
    said = `${said}${bytes.toString('utf8')}`.slice(-AGENT_LIMITS.stderrChars)
  })
  // A pipe that breaks ends like one that is closed.
  for (const pipe of [running.stdin, running.stdout, running.stderr]) pipe?.on('error', () => {})
  let closing: Promise<unknown> | null = null

  async function unlessLate(work: Promise<void>): Promise<void> {
    const late = Promise.withResolvers<void>()
    const cancel = clock.after(AGENT_LIMITS.graceMs, late.resolve)
    await Promise.race([work, late.promise])
    cancel()
  }

  function endAll(): Promise<unknown> {
    closing ??= endGroup(running.pid, { clock, graceMs: AGENT_LIMITS.graceMs })
    return closing
  }

  /** What its main process leaves behind ends with it. */
  async function finish(): Promise<string> {
    const exit = await running.exited
    await endAll()
    // Its last words may still be on the way; with the group gone nothing holds the pipes open for long.
    await unlessLate(running.closed)
    register?.forget(running.pid)
    for (const pipe of [running.stdin, running.stdout, running.stderr]) pipe?.destroy()
    return endOf(exit)
  }

  const ended = finish()
  return {
    pid: running.pid,
    ended,
    isOpen: () => running.exit() === null,
    said: () =>
      withoutValues(said, { ...agent.env, ...env })
        .replaceAll(/\s+/g, ' ')
        .trim(),
    async write(line) {
      const input = running.stdin
      if (!input?.writable) throw new AgentFailure('gone', `${agent.name} has ended`, {})
      if (input.write(`${line}\n`)) return
      await new Promise<void>((resolve) => {
        input.once('drain', resolve)
        input.once('close', resolve)
      })
    },
    async close() {
      await endAll()
      await ended
    },
  }
}

async function launch(
  { name, command }: ExternalAgent,
  wanted: Parameters<typeof launchProgram>[0],
): Promise<RunningProgram> {
  try {
    return await launchProgram(wanted)
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error
    const why = error.code === 'ENOENT' ? `there is no program ${command}` : error.message
    throw new AgentFailure('cannot-start', `${name} cannot be started: ${why}`, { cause: error })
  }
}

function endOf({ exitCode, signalCode }: ProcessExit): string {
  if (signalCode !== null) return `was ended by ${signalCode}`
  return exitCode === null ? 'ended, and nobody can tell how' : `ended with exit code ${exitCode}`
}
