import { randomUUID } from 'node:crypto'
import type { Clock } from '@holdfast/conversation'
import { childEnvironment, type ProcessEnd, type ProcessRegister, runProcess } from '@holdfast/tool/process'
import { FileRefusal } from '../workspace/file-refusal.ts'
import { withPlace } from '../workspace/walk-path.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { watchBounds } from './bounds-watch.ts'
import { type CommandBounds, excessInWords, strainInWords } from './command-bounds.ts'
import { type CommandGroup, CommandGroupError } from './command-groups.ts'
import { programOf } from './command-words.ts'
import type { CommitPlace } from './commit-room.ts'
import { endLeftBehind, MARK_VARIABLE, markOf } from './left-behind.ts'
import { type NetworkRoom, NetworkRoomError } from './network-room.ts'
import { type Bounding, type Sandbox, sandboxArguments } from './sandbox.ts'

/** What commands run with. */
export interface ShellPorts {
  readonly workspace: Workspace
  readonly sandbox: Sandbox
  /** The server's own environment; commands get the harmless part of it. [WS2] */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whose commands they are. */
  readonly owner: string
  /** Where the process group is noted while it runs. */
  readonly register: ProcessRegister | null
  /** How much one command may take. */
  readonly bounds: CommandBounds
  /** The network that commands of this conversation share; null where the sandbox needs none. */
  readonly room: NetworkRoom | null
  /** Path of a bash. */
  readonly bash: string
  readonly clock: Clock
}

/** One command line. */
export interface Command {
  readonly line: string
  /** Absolute; see `folderOf`. */
  readonly folder: string
  readonly signal: AbortSignal
  readonly onOutput: (bytes: Uint8Array) => void
}

/** How a command ended. */
export interface CommandEnd {
  readonly end: ProcessEnd
  /** What a person and the model should know beside it: what it took too much of, what was taken back. */
  readonly remarks: readonly string[]
}

const GRACE_MS = 1_000

/** Runs a command line to its end; nothing that it started is there afterwards. [WS2, STOP2] */
export async function runCommand(ports: ShellPorts, command: Command): Promise<CommandEnd> {
  const { sandbox, workspace } = ports
  const bash = [ports.bash, '--noprofile', '--norc', '-c', command.line]
  if (sandbox.type === 'none')
    return bounded(ports, command, { words: bash, folder: command.folder, added: {}, group: null })
  const { rootPath, readable, commitRoom } = workspace
  const git = await sandbox.git.begin(rootPath)
  let run: CommandEnd
  let remarks: readonly string[] = []
  let commits: CommitPlace | null = null
  try {
    commits = (await commitRoom?.begin()) ?? null
    const { args, environment } = commits ?? { args: [], environment: {} }
    const confined = {
      rootPath,
      readable,
      writes: true,
      folder: command.folder,
      home: ports.environment['HOME'],
      command: bash,
      bounds: ports.bounds,
      isInRoom: ports.room !== null,
      git: [...git, ...args],
      bash: ports.bash,
    }
    run = await inGroup(sandbox.bounding, ports.bounds, (group) =>
      inRoom(ports.room, (before) => {
        const words = [...(group?.before ?? []), ...before, sandbox.program, ...sandboxArguments(sandbox, confined)]
        return bounded(ports, command, { words, folder: '/', added: { TMPDIR: '/tmp', ...environment }, group })
      }),
    )
  } finally {
    const notTaken = (await commits?.finish()) ?? []
    remarks = [...(await sandbox.git.finish(rootPath)), ...notTaken]
  }
  return { end: run.end, remarks: [...run.remarks, ...remarks] }
}

async function inGroup<Value>(
  bounding: Bounding,
  bounds: CommandBounds,
  work: (group: CommandGroup | null) => Promise<Value>,
): Promise<Value> {
  if (bounding.type === 'looks') return work(null)
  let group: CommandGroup
  try {
    group = await bounding.groups.open(bounds)
  } catch (error) {
    if (error instanceof CommandGroupError) throw notRun(error)
    throw error
  }
  try {
    return await work(group)
  } finally {
    await group.close()
  }
}

async function inRoom<Value>(
  room: NetworkRoom | null,
  work: (before: readonly string[]) => Promise<Value>,
): Promise<Value> {
  if (room === null) return work([])
  try {
    return await work(await room.enter())
  } catch (error) {
    if (error instanceof NetworkRoomError) throw notRun(error)
    throw error
  } finally {
    await room.leave()
  }
}

function notRun(cause: Error): FileRefusal {
  return new FileRefusal({ code: 'system', path: '.', message: `Not run: ${cause.message}`, cause })
}

interface Prepared {
  readonly words: readonly string[]
  readonly folder: string
  readonly added: Readonly<Record<string, string>>
  readonly group: CommandGroup | null
}

async function bounded(
  { bounds, clock, environment, owner, register }: ShellPorts,
  { signal, onOutput }: Command,
  { words, folder, added, group }: Prepared,
): Promise<CommandEnd> {
  const { program, args } = programOf(words)
  const mark = markOf(owner, randomUUID())
  const watch = watchBounds({ bounds, group, clock, register })
  try {
    const end = await runProcess({
      program,
      args,
      folder,
      environment: childEnvironment(environment, { [MARK_VARIABLE]: mark, TERM: 'dumb', ...added }),
      signal: AbortSignal.any([signal, watch.signal]),
      graceMs: GRACE_MS,
      // The output goes where the command's owner keeps it, both streams in the order in which they came.
      outputLimitBytes: 0,
      clock,
      register: watch.register,
      onOutput: ({ bytes }) => onOutput(bytes),
    })
    const excess = watch.excess()
    if (excess !== null) return { end, remarks: [excessInWords(excess, bounds)] }
    const strain = (await group?.excess()) ?? null
    return { end, remarks: strain === null ? [] : [strainInWords(strain, bounds)] }
  } finally {
    await endLeftBehind(mark, clock)
  }
}

/** The absolute path of a folder of the workspace. @throws {FileRefusal} when it is none. */
export function folderOf(workspace: Workspace, path: string): Promise<string> {
  return withPlace(workspace, { path, lastLink: 'follow', missingFolders: 'refuse' }, async ({ segments, stats }) => {
    if (!stats?.isDirectory())
      throw new FileRefusal({ code: 'not-a-folder', path, message: `${path} is not a folder of the workspace.` })
    return [workspace.rootPath, ...segments].join('/')
  })
}
