import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The repository. */
export const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

/** Builds what the tests start: the program and the page. Both builders do only what is to do. */
export async function buildAll(): Promise<void> {
  const program = (path: string, ...args: string[]) =>
    run(process.execPath, [join(ROOT, 'node_modules', path), ...args], { cwd: ROOT })
  await program('typescript/bin/tsc', '-b', 'apps/holdfast')
  await program('vite/bin/vite.js', 'build', 'apps/web')
}
