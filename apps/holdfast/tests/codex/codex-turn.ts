import { spawn } from 'node:child_process'
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import type { ServerProcess } from '../crash/server-process.ts'

/** The version that is driven. */
const CODEX = '@openai/codex@0.171.0'

const INSTALL_LIMIT_MS = 300_000
const TURN_LIMIT_MS = 90_000

/** What Codex did and what the log has of it. */
export interface CodexTurn {
  readonly exitCode: number | null
  readonly said: string
  /** What its first command left in its folder. */
  readonly made: string
  readonly entries: readonly { readonly type: string; readonly outcome?: string; readonly runsAt?: string }[]
}

/** Installs the Codex command line in a folder of its own, where it is not there yet. @returns its program. */
export async function installCodex(folder: string): Promise<string> {
  const program = join(folder, 'node_modules', '.bin', 'codex')
  if (await isThere(program)) return program
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"private":true}\n')
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', CODEX]
  const { exitCode, said } = await run('npm', args, { cwd: folder, env: process.env, limitMs: INSTALL_LIMIT_MS })
  if (exitCode !== 0) throw new Error(`${CODEX} could not be installed: ${said}`)
  return program
}

/** Has Codex do two commands in one turn, answered by the demo model of a running server. */
export async function codexTurn(
  program: string,
  server: Pick<ServerProcess, 'call' | 'url' | 'token'>,
): Promise<CodexTurn> {
  const home = await mkdtemp(join(tmpdir(), 'holdfast-codex-'))
  const cwd = join(home, 'work')
  try {
    await mkdir(cwd)
    await writeFile(join(home, 'config.toml'), configOf(server.url))
    const first = JSON.stringify({ cmd: 'echo "made by codex" > made.txt; echo first-$((40 + 2))' })
    const second = JSON.stringify({ cmd: 'cat made.txt; echo second-$((20 + 1))' })
    const wish = `/demo call exec_command ${first} exec_command ${second}`
    // Its own sandbox is for its person's machine: the folder here is empty, and goes.
    const args = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', wish]
    const env = { PATH: process.env['PATH'], HOME: home, CODEX_HOME: home, HOLDFAST_KEY: server.token }
    const { exitCode, said } = await run(program, args, { cwd, env, limitMs: TURN_LIMIT_MS })
    const made = await readFile(join(cwd, 'made.txt'), 'utf8').catch(() => '')
    return { exitCode, said, made, entries: await newestLog(server) }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

function configOf(url: string): string {
  return `model = "demo"
model_provider = "holdfast"

[model_providers.holdfast]
name = "Holdfast"
base_url = "${url}/api/v1/interop/openai/v1"
wire_api = "responses"
env_key = "HOLDFAST_KEY"
`
}

const Rows = z.object({ conversations: z.array(z.object({ id: z.string() })) })
const Log = z.object({
  entries: z.array(
    z.object({ type: z.string(), outcome: z.string().exactOptional(), runsAt: z.string().exactOptional() }),
  ),
})

async function newestLog({ call }: Pick<ServerProcess, 'call'>): Promise<CodexTurn['entries']> {
  const { conversations } = Rows.parse(await call('GET', '/conversations'))
  const [newest] = conversations
  return newest ? Log.parse(await call('GET', `/conversations/${newest.id}/entries?limit=500`)).entries : []
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}

interface Ran {
  readonly exitCode: number | null
  readonly said: string
}

/** Runs a program to its end, or to the limit; its input is empty. */
function run(
  program: string,
  args: readonly string[],
  { cwd, env, limitMs }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly limitMs: number },
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.timeout(limitMs),
      killSignal: 'SIGKILL',
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => {
        said += piece
      })
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ exitCode, said }))
  })
}
