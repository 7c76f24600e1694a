import { randomUUID } from 'node:crypto'
import type { Clock } from '@holdfast/conversation'
import { childEnvironment, type ProcessEnd, type ProcessRegister, runProcess } from '@holdfast/tool/process'
import { FileRefusal } from '../workspace/file-refusal.ts'
import { withPlace } from '../workspace/walk-path.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { endLeftBehind, MARK_VARIABLE, markOf } from './left-behind.ts'
import { type Sandbox, sandboxArguments } from './sandbox.ts'

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

const GRACE_MS = 1_000

/** Runs a command line to its end; nothing that it started is there afterwards. [WS2, STOP2] */
export async function runCommand(ports: ShellPorts, command: Command): Promise<ProcessEnd> {
  const { sandbox, clock } = ports
  const mark = markOf(ports.owner, randomUUID())
  const bash = [ports.bash, '--noprofile', '--norc', '-c', command.line]
  const home = ports.environment['HOME']
  const isConfined = sandbox.type === 'bubblewrap'
  const [program = '', ...args] = isConfined
    ? [
        sandbox.program,
        ...(await sandboxArguments(sandbox, {
          rootPath: ports.workspace.rootPath,
          folder: command.folder,
          home,
          command: bash,
        })),
      ]
    : bash
  const added = { [MARK_VARIABLE]: mark, TERM: 'dumb', ...(isConfined ? { TMPDIR: '/tmp' } : {}) }
  try {
    return await runProcess({
      program,
      args,
      folder: isConfined ? '/' : command.folder,
      environment: childEnvironment(ports.environment, added),
      signal: command.signal,
      graceMs: GRACE_MS,
      // The output goes where the command's owner keeps it, both streams in the order in which they came.
      outputLimitBytes: 0,
      clock,
      ...(ports.register === null ? {} : { register: ports.register }),
      onOutput: ({ bytes }) => command.onOutput(bytes),
    })
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
