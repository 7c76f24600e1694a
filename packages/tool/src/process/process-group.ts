import type { Clock } from '@holdfast/conversation'
import { endGroup } from './end-group.ts'
import { createOutputKeeper, type KeptOutput, type OutputKeeper } from './kept-output.ts'
import { LaunchError, launchProgram, type RunningProgram } from './launch-program.ts'
import type { ProcessExit } from './launcher.ts'
import type { ProcessRegister } from './process-register.ts'

/** A program to run in a process group of its own. */
export interface ProcessRun {
  readonly program: string
  readonly args: readonly string[]
  readonly folder: string
  /** The whole environment of the child; see `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>
  /** Ends the group when it fires: TERM at once, KILL after the grace. [STOP2] */
  readonly signal: AbortSignal
  readonly graceMs: number
  /** Bytes kept of each of the two outputs; what is beyond is counted. */
  readonly outputLimitBytes: number
  readonly clock: Clock
  /** Called with the output as it comes, whatever is kept of it. */
  readonly onOutput?: (output: { readonly from: 'stdout' | 'stderr'; readonly bytes: Uint8Array }) => void
  /** Text or bytes for its input, which is closed behind it. */
  readonly input?: string | Uint8Array
  /** Knows the group while it runs, so that it is found if we are killed meanwhile. [RUN14] */
  readonly register?: Pick<ProcessRegister, 'note' | 'forget'>
}

/** How a program ended. */
export interface ProcessEnd {
  /** Null when a signal ended it or it never began. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** Whether we told it to end. */
  readonly ended: 'by-itself' | 'by-term' | 'by-kill' | 'not-started'
  readonly stdout: KeptOutput
  readonly stderr: KeptOutput
  /** Why it could not be started. */
  readonly startError?: string
}

/** How long a killed process may take to be gone. */
const EXIT_MS = 1_000
/** How long pipes may stay open when nobody of the group is left to write to them. */
const DRAIN_MS = 200

/**
 * Runs a program to its end and ends its whole process group with it: children that it left behind, that
 * ignore TERM or that hold its pipes open are gone when this settles. [STOP2, WS2]
 *
 * A child that makes a session of its own has left the group: it loses its pipes, but is not killed.
 */
export async function runProcess(run: ProcessRun): Promise<ProcessEnd> {
  const stdout = createOutputKeeper(run.outputLimitBytes)
  const stderr = createOutputKeeper(run.outputLimitBytes)
  if (run.signal.aborted) return unstarted({ stdout, stderr }, 'It was stopped before it began')
  const program = await start(run)
  if (program instanceof LaunchError) return unstarted({ stdout, stderr }, program.message)
  const groupId = program.pid
  follow(run, program, { stdout, stderr })

  const exit = await untilExitOrStop(program, run.signal)
  // The main program may have gone by itself and left children: they end with the call all the same.
  const how = await endGroup(groupId, run)
  run.register?.forget(groupId)
  const { exitCode, signalCode } = exit ?? (await exitWithin(program, run.clock))
  await drain(program.closed, run)
  program.stdout.destroy()
  program.stderr.destroy()
  return {
    exitCode,
    signal: signalCode,
    ended: exit === null && how !== 'gone' ? how : 'by-itself',
    stdout: stdout.read(),
    stderr: stderr.read(),
  }
}

async function start({
  program,
  args,
  folder,
  environment,
  input,
  register,
}: ProcessRun): Promise<RunningProgram | LaunchError> {
  let running: RunningProgram
  try {
    const wanted = { program, args, folder, environment, hasInput: input !== undefined }
    running = await launchProgram({ ...wanted, register: register ?? null })
  } catch (error) {
    if (error instanceof LaunchError) return error
    throw error
  }
  // A program that does not read its input breaks the pipe: that is its right.
  running.stdin?.on('error', () => {})
  if (input !== undefined) running.stdin?.end(input)
  return running
}

function follow(
  { onOutput }: ProcessRun,
  program: RunningProgram,
  keepers: Record<'stdout' | 'stderr', OutputKeeper>,
): void {
  for (const from of ['stdout', 'stderr'] as const) {
    const stream = program[from]
    stream.on('data', (bytes: Buffer) => {
      keepers[from].add(bytes)
      onOutput?.({ from, bytes })
    })
    // A pipe that breaks while it is read ends like one that is closed.
    stream.on('error', () => {})
  }
}

/** Null when the signal fired first. */
async function untilExitOrStop({ exited }: RunningProgram, signal: AbortSignal): Promise<ProcessExit | null> {
  const stop = Promise.withResolvers<null>()
  const onAbort = () => stop.resolve(null)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([exited, stop.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** A process that waits inside the kernel hears no signal: it is left to the kernel. */
async function exitWithin({ exited }: RunningProgram, clock: Clock): Promise<ProcessExit> {
  const limit = Promise.withResolvers<ProcessExit>()
  const cancel = clock.after(EXIT_MS, () => limit.resolve({ exitCode: null, signalCode: null }))
  const exit = await Promise.race([exited, limit.promise])
  cancel()
  return exit
}

/** Waits for what is still in the pipes, but not for somebody outside the group who holds them. */
async function drain(closed: Promise<void>, { clock }: ProcessRun): Promise<void> {
  const limit = Promise.withResolvers<void>()
  const cancel = clock.after(DRAIN_MS, limit.resolve)
  await Promise.race([closed, limit.promise])
  cancel()
}

function unstarted(
  { stdout, stderr }: Readonly<Record<'stdout' | 'stderr', OutputKeeper>>,
  startError: string,
): ProcessEnd {
  return {
    exitCode: null,
    signal: null,
    ended: 'not-started',
    stdout: stdout.read(),
    stderr: stderr.read(),
    startError,
  }
}
