import { type ChildProcess, spawn } from 'node:child_process'
import type { Clock } from '@holdfast/conversation'
import { endGroup } from './end-group.ts'
import { createOutputKeeper, type KeptOutput, type OutputKeeper } from './kept-output.ts'
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
  /** Text for its input, which is closed behind it. */
  readonly input?: string
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
  const started = await start(run)
  if ('startError' in started) return unstarted({ stdout, stderr }, started.startError)
  const { child, groupId } = started
  const closed = watchClose(child)
  follow(run, child, { stdout, stderr })

  const exit = await untilExitOrStop(child, run.signal)
  // The main program may have gone by itself and left children: they end with the call all the same.
  const how = await endGroup(groupId, run)
  run.register?.forget(groupId)
  const { exitCode, signalCode } = exit ?? (await exitWithin(child, run.clock))
  await drain(closed, run)
  child.stdout?.destroy()
  child.stderr?.destroy()
  return {
    exitCode,
    signal: signalCode,
    ended: exit === null && how !== 'gone' ? how : 'by-itself',
    stdout: stdout.read(),
    stderr: stderr.read(),
  }
}

type Started = { readonly child: ChildProcess; readonly groupId: number } | { readonly startError: string }

function start({ program, args, folder, environment, input, register }: ProcessRun): Promise<Started> {
  const { promise, resolve } = Promise.withResolvers<Started>()
  let child: ChildProcess
  try {
    child = spawn(program, [...args], {
      cwd: folder,
      env: { ...environment },
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
  } catch (error) {
    // Arguments that no program can be given, such as one with a NUL.
    return Promise.resolve({ startError: error instanceof Error ? error.message : String(error) })
  }
  // The process is there as soon as it has a number: it is noted before anything else happens.
  if (child.pid !== undefined) register?.note(child.pid)
  child.on('error', (error) => resolve({ startError: error.message }))
  child.once('spawn', () => {
    if (child.pid !== undefined) resolve({ child, groupId: child.pid })
  })
  // A program that does not read its input breaks the pipe: that is its right.
  child.stdin?.on('error', () => {})
  if (input !== undefined) child.stdin?.end(input)
  return promise
}

function follow(
  { onOutput }: ProcessRun,
  child: ChildProcess,
  keepers: Record<'stdout' | 'stderr', OutputKeeper>,
): void {
  for (const from of ['stdout', 'stderr'] as const) {
    const stream = child[from]
    stream?.on('data', (bytes: Buffer) => {
      keepers[from].add(bytes)
      onOutput?.({ from, bytes })
    })
    // A pipe that breaks while it is read ends like one that is closed.
    stream?.on('error', () => {})
  }
}

interface Exit {
  readonly exitCode: number | null
  readonly signalCode: NodeJS.Signals | null
}

function watchExit(child: ChildProcess): Promise<Exit> {
  const { exitCode, signalCode } = child
  if (exitCode !== null || signalCode !== null) return Promise.resolve({ exitCode, signalCode })
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ exitCode: code, signalCode: signal }))
  })
}

/** Null when the signal fired first. */
async function untilExitOrStop(child: ChildProcess, signal: AbortSignal): Promise<Exit | null> {
  const stop = Promise.withResolvers<null>()
  const onAbort = () => stop.resolve(null)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([watchExit(child), stop.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** A process that waits inside the kernel hears no signal: it is left to the kernel. */
async function exitWithin(child: ChildProcess, clock: Clock): Promise<Exit> {
  const limit = Promise.withResolvers<Exit>()
  const cancel = clock.after(EXIT_MS, () => limit.resolve({ exitCode: null, signalCode: null }))
  const exit = await Promise.race([watchExit(child), limit.promise])
  cancel()
  return exit
}

function watchClose(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('close', () => resolve()))
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
