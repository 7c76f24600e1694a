import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '@holdfast/conversation'
import { childEnvironment, endGroup, launchProgram } from '@holdfast/tool/process'
import { watchBounds } from './bounds-watch.ts'
import { type CommandBounds, excessInWords } from './command-bounds.ts'
import type { CommandGroup } from './command-groups.ts'
import { programOf } from './command-words.ts'
import { endLeftBehind, MARK_VARIABLE, markOf } from './left-behind.ts'
import type { Machine } from './machine.ts'
import { type Sandbox, sandboxArguments } from './sandbox.ts'

/** A program that reads a folder and is spoken with, such as a language server. */
export interface ReadingProgram {
  readonly stdin: Writable | null
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when it has ended, with how; what it started is gone then. */
  readonly exited: Promise<string>
  /** Ends it with all that it started. */
  end(): Promise<void>
}

/** What it is started with. */
export interface ReadingProgramDeps extends Pick<Machine, 'environment' | 'owner' | 'register'> {
  readonly sandbox: Sandbox & { readonly type: 'bubblewrap' }
  /** Path of a bash. */
  readonly bash: string
  readonly bounds: CommandBounds
  readonly clock: Clock
}

/** Which program, and what it may read. */
export interface ReadingOrder {
  readonly words: readonly string[]
  /** A real path. */
  readonly rootPath: string
  /** Real paths beside it. */
  readonly readable: readonly string[]
}

const GRACE_MS = 500

/**
 * Starts a program that may read a folder: it writes nowhere, reaches no network and sees nothing else. [SEC6, RUN14]
 *
 * @throws {LaunchError} when it cannot be started. @throws {CommandGroupError} when the system does not bound it.
 */
export async function startReadingProgram(deps: ReadingProgramDeps, order: ReadingOrder): Promise<ReadingProgram> {
  const { sandbox, bounds } = deps
  const group = sandbox.bounding.type === 'groups' ? await sandbox.bounding.groups.open(bounds) : null
  try {
    return await launched(deps, order, group)
  } catch (error) {
    await group?.close()
    throw error
  }
}

async function launched(
  deps: ReadingProgramDeps,
  order: ReadingOrder,
  group: CommandGroup | null,
): Promise<ReadingProgram> {
  const { environment, owner, register, bounds, clock } = deps
  const { program, args } = programOf([...(group?.before ?? []), ...confined(deps, order)])
  const mark = markOf(owner, randomUUID())
  const watch = watchBounds({ bounds, group, clock, register })
  const running = await launchProgram({
    program,
    args,
    folder: '/',
    environment: childEnvironment(environment, { [MARK_VARIABLE]: mark, TERM: 'dumb' }),
    hasInput: true,
    register: watch.register,
  })
  const { pid, stdin, stdout, stderr } = running
  let ending: Promise<void> | null = null
  const endOnce = async (): Promise<void> => {
    await endGroup(pid, { clock, graceMs: GRACE_MS })
    watch.register.forget(pid)
    await endLeftBehind(mark, clock)
    await group?.close()
    for (const pipe of [stdin, stdout, stderr]) pipe?.destroy()
  }
  const end = (): Promise<void> => {
    ending ??= endOnce()
    return ending
  }
  const exited = running.exited.then(async ({ exitCode, signalCode }) => {
    const excess = watch.excess()
    await end()
    if (excess !== null) return excessInWords(excess, bounds)
    return signalCode === null ? `It ended with ${exitCode}` : `It was ended by ${signalCode}`
  })
  return { stdin, stdout, stderr, exited, end }
}

function confined(
  { sandbox, environment, bash, bounds }: ReadingProgramDeps,
  { words: command, rootPath, readable }: ReadingOrder,
): readonly string[] {
  const alone = { ...sandbox, network: { type: 'none', reason: null, programs: null } } as const
  const home = environment['HOME']
  // Nothing can be written: there is nothing that git could run later.
  const writing = { writes: false, git: [] }
  const words = { rootPath, readable, folder: rootPath, home, command, bounds, isInRoom: false, bash, ...writing }
  return [sandbox.program, ...sandboxArguments(alone, words)]
}
