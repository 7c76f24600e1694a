import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The repository. */
export const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

/** Tests run as tests; what they start is built as people get it: with React's own checks it is another page. */
const AS_PEOPLE_GET_IT = { ...process.env, NODE_ENV: 'production' }

/** Builds what the tests start: the program and the page. Both builders do only what is to do. */
export async function buildAll(): Promise<void> {
  const program = (path: string, ...args: string[]) =>
    run(process.execPath, [join(ROOT, 'node_modules', path), ...args], { cwd: ROOT, env: AS_PEOPLE_GET_IT })
  await program('typescript/bin/tsc', '-b', 'apps/holdfast')
  await program('vite/bin/vite.js', 'build', 'apps/web')
}
