import { spawn } from 'node:child_process'
import { access, copyFile, mkdir, readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
const LOCKED = join(ROOT, 'packages', 'external-agent', 'tests', 'agents')
const INSTALL_LIMIT_MS = 420_000

/** Agents as one lock file names them: `two` are driven by every run of the slow tests, `four` by `npm run agents`. */
export type LockedAgents = 'two' | 'four'

/**
 * Installs agents in a folder of their own, which no install of the repository clears, where the same lock file has not been installed yet.
 *
 * @returns the folder of their programs.
 */
export async function installAgents(which: LockedAgents): Promise<string> {
  const source = join(LOCKED, which)
  const folder = join(ROOT, '.setup', `agents-${which}`)
  const bin = join(folder, 'node_modules', '.bin')
  const lock = 'package-lock.json'
  const [wanted, had] = await Promise.all([
    readFile(join(source, lock), 'utf8'),
    readFile(join(folder, 'installed.json'), 'utf8').catch(() => ''),
  ])
  if (wanted === had) return bin
  await mkdir(folder, { recursive: true })
  for (const file of ['package.json', lock]) await copyFile(join(source, file), join(folder, file))
  // Not by `ci`: a lock file names the programs of an agent for those machines alone that could be reached when it was made.
  await run('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], folder)
  // What opencode installs itself with: it puts its program in place, and no other script is run.
  await run(process.execPath, ['postinstall.mjs'], join(folder, 'node_modules', 'opencode-ai'))
  await access(join(bin, 'opencode'))
  await copyFile(join(source, lock), join(folder, 'installed.json'))
  return bin
}

async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  const PATH = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.timeout(INSTALL_LIMIT_MS),
    killSignal: 'SIGKILL',
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      said = `${said}${piece}`.slice(-4_000)
    })
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.on('error', reject)
  child.on('close', resolve)
  const exitCode = await promise
  if (exitCode !== 0)
    throw new Error(`The agents of ${LOCKED} could not be installed (${program} ended with ${exitCode}): ${said}`)
}
