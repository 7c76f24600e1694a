import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { type LaunchNoted, type LaunchOrder, type LaunchReport, PIPE_NUMBERS, pipeGreeting } from './launch-messages.ts'

/**
 * The program of a launcher. Each order starts one program, with pipes that lead to the server by its socket. When the
 * server is gone it ends what nobody could note, and itself. [RUN33]
 */
const socketPath = process.argv[2] ?? ''
/** Groups that no register knows yet, by the ids of their launches. */
const unnoted = new Map<string, number>()

process.on('message', (message: LaunchOrder | LaunchNoted) => {
  if (message.type === 'noted') unnoted.delete(message.launchId)
  else void launch(message)
})
process.on('disconnect', () => {
  for (const groupId of unnoted.values()) endGroupNow(groupId)
  rmSync(dirname(socketPath), { recursive: true, force: true })
  process.exit()
})
// The server decides when it ends, and what runs until then.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

async function launch(order: LaunchOrder): Promise<void> {
  const { launchId } = order
  const pipes: Socket[] = []
  try {
    for (const number of PIPE_NUMBERS)
      if (number !== 0 || order.hasInput) pipes.push(await openPipe(pipeGreeting(launchId, number)))
    const child = start(order, pipes)
    // A program that could not be started says so by an event, for it has no number.
    const failed = new Promise<Error>((resolve) => child.once('error', resolve))
    if (child.pid === undefined) throw await failed
    unnoted.set(launchId, child.pid)
    child.once('exit', (exitCode, signalCode) => {
      unnoted.delete(launchId)
      report({ type: 'exited', launchId, exitCode, signalCode })
    })
    report({ type: 'started', launchId, pid: child.pid })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
    report({ type: 'not-started', launchId, code, message })
  } finally {
    // The program has its own: ours would hold them open behind its end.
    for (const pipe of pipes) pipe.destroy()
  }
}

function start({ program, args, folder, environment, hasInput }: LaunchOrder, pipes: readonly Socket[]): ChildProcess {
  return spawn(program, [...args], {
    cwd: folder,
    env: { ...environment },
    detached: true,
    stdio: hasInput ? [...pipes] : ['ignore', ...pipes],
  })
}

function openPipe(greeting: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const pipe = connect(socketPath)
  pipe.on('error', reject)
  // Written before the program has the pipe, so that nothing of it comes first.
  pipe.write(greeting, () => resolve(pipe))
  return promise
}

function report(said: LaunchReport): void {
  if (process.connected) process.send?.(said)
}

function endGroupNow(groupId: number): void {
  try {
    process.kill(-groupId, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
