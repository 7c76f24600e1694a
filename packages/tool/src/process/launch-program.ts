import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { signalGroup } from './group-members.ts'
import { type LaunchOrder, PIPE_NUMBERS, type PipeNumber } from './launch-messages.ts'
import { LAUNCHER_GONE, type Launcher, type ProcessExit, startLauncher } from './launcher.ts'
import type { ProcessRegister } from './process-register.ts'

/** A program to start in a process group of its own. */
export interface LaunchedProgram extends Pick<LaunchOrder, 'program' | 'args' | 'folder' | 'environment' | 'hasInput'> {
  /** Knows the group before anything else happens; null where nobody looks for left ones. [RUN14, RUN33] */
  readonly register: Pick<ProcessRegister, 'note' | 'forget'> | null
}

/** A program that runs, or has run. */
export interface RunningProgram {
  /** The number of the program, and of its group. */
  readonly pid: number
  /** Null where it has no input. */
  readonly stdin: Writable | null
  readonly stdout: Readable
  readonly stderr: Readable
  /** How it ended; null while it runs. */
  exit(): ProcessExit | null
  readonly exited: Promise<ProcessExit>
  /** Resolves when it has ended and nobody holds its outputs open. */
  readonly closed: Promise<void>
}

/** A program could not be started. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError'
  /** What the system says, such as `ENOENT`; null where it was not asked. */
  readonly code: string | null

  constructor({ code, message }: { readonly code: string | null; readonly message: string }) {
    super(message)
    this.code = code
  }
}

/** This process has one launcher at most: it is started for the first program, and anew where it has gone. */
let launcher: Launcher | null = null

/** The number of the launcher of this process; null while there is none. */
export function launcherPid(): number | null {
  return launcher?.isOpen() === true ? launcher.pid : null
}

/**
 * Starts a program by the launcher of this process. [RUN33]
 *
 * @throws {LaunchError} when it cannot be started.
 */
export async function launchProgram({ register, ...wanted }: LaunchedProgram): Promise<RunningProgram> {
  if (launcher?.isOpen() !== true) launcher = startLauncher()
  const used = launcher
  const order = { ...wanted, launchId: randomUUID() }
  const exited = Promise.withResolvers<ProcessExit>()
  const started = Promise.withResolvers<number>()
  const pipes = pipesOf(order)
  let end: ProcessExit | null = null
  used.launch(order, {
    onPipe: pipes.take,
    onStarted(pid) {
      // Noted before anything else happens: whoever kills us now leaves nothing that nobody finds.
      register?.note(pid)
      used.noted(order.launchId)
      started.resolve(pid)
    },
    onNotStarted: (failure) => started.reject(new LaunchError(failure)),
    onExited(exit) {
      end = exit
      exited.resolve(exit)
    },
    onLost: pipes.giveUp,
  })
  const pid = await started.promise
  const { stdin, stdout, stderr } = await pipes.all.catch((error: unknown) => {
    // Without pipes nobody can hear of it.
    signalGroup(pid, 'SIGKILL')
    register?.forget(pid)
    throw error
  })
  const closed = Promise.all([exited.promise, untilClosed(stdout), untilClosed(stderr)]).then(() => {})
  void exited.promise.then(() => stdin?.destroy())
  return { pid, stdin, stdout, stderr, exit: () => end, exited: exited.promise, closed }
}

interface Pipes extends Pick<RunningProgram, 'stdin' | 'stdout' | 'stderr'> {}

/** Gathers the pipes as they come, each once. */
function pipesOf({ hasInput }: Pick<LaunchOrder, 'hasInput'>): {
  readonly all: Promise<Pipes>
  readonly take: (number: PipeNumber, pipe: Socket) => void
  /** No pipe comes any more. */
  readonly giveUp: () => void
} {
  const come = new Map<PipeNumber, Socket>()
  const all = Promise.withResolvers<Pipes>()
  return {
    all: all.promise,
    take(number, pipe) {
      come.set(number, pipe)
      const [stdin, stdout, stderr] = PIPE_NUMBERS.map((one) => come.get(one))
      if (stdout && stderr && (stdin || !hasInput)) all.resolve({ stdin: stdin ?? null, stdout, stderr })
    },
    giveUp: () => all.reject(new LaunchError(LAUNCHER_GONE)),
  }
}

function untilClosed(pipe: Readable): Promise<void> {
  return pipe.closed ? Promise.resolve() : new Promise((resolve) => pipe.once('close', () => resolve()))
}
