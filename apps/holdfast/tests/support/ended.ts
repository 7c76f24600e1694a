import { spawn } from 'node:child_process'

/** Runs a program to its end. @returns its exit code, and all that it said. */
export async function ended(
  program: string,
  args: readonly string[],
  at: { readonly cwd?: string; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(program, args, { ...at, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (piece) => (stdout += piece))
  child.stderr.on('data', (piece) => (stderr += piece))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stdout, stderr }
}
