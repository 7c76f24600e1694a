import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** A program of the tests in a process of its own. */
export interface TestChild {
  readonly process: ChildProcess
  /** The next line that it says; null when it has ended. */
  nextLine(): Promise<string | null>
  /** Ends it as a crash would, and waits until it is gone. */
  kill(): Promise<void>
}

/** Starts a program of this folder. It is ended when the test is over. */
export function startChild(file: string, args: readonly string[], options: SpawnOptions = {}): TestChild {
  const path = join(import.meta.dirname, file)
  const child = spawn(process.execPath, ['--conditions=@holdfast/source', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  })
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]()
  const exited = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  return {
    process: child,
    nextLine: async () => {
      const { value, done } = await lines.next()
      return done ? null : value
    },
    kill,
  }
}
