import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/** A command of the program that runs, with what it has printed so far. */
export interface RunningCommand {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits until stdout has this text. */
  printed(text: string): Promise<void>
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
}

/** Runs a command of the built program, with this input and nobody at the terminal. */
export function runCommand(
  args: readonly string[],
  input = '',
  variables: Readonly<Record<string, string>> = {},
): RunningCommand {
  return runCommandIn(process.cwd(), args, { input, variables })
}

/** Runs a command of the built program as somebody who stands in this folder. */
export function runCommandIn(
  folder: string,
  args: readonly string[],
  { input, variables }: { readonly input: string; readonly variables: Readonly<Record<string, string>> },
): RunningCommand {
  const { PATH, HOME } = process.env
  const main = join(import.meta.dirname, '..', '..', 'bin', 'holdfast.js')
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: { PATH, HOME, ...variables },
  })
  let stdout = ''
  let stderr = ''
  let look = (): void => {}
  child.stdout.on('data', (piece) => {
    stdout += piece
    look()
  })
  child.stderr.on('data', (piece) => {
    stderr += piece
  })
  child.stdin.end(input)
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    printed: (text) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (stdout.includes(text)) resolve()
        }
        look()
        void ended.then(() => reject(new Error(`It ended without ${text}: ${stdout}${stderr}`)))
      }),
  }
}
