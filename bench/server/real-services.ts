import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'

/** A program that several servers share, in a process of its own. */
export interface RealService {
  readonly url: string
  close(): Promise<void>
}

const LIMIT_MS = 30_000

/** Starts PostgreSQL with what it does by itself, from HOLDFAST_POSTGRES_BIN or where Debian puts it; commits are synced. */
export async function startPostgres(): Promise<RealService> {
  const bin = process.env['HOLDFAST_POSTGRES_BIN'] ?? globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1) ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'hf-pg-'))
  const owner = process.getuid?.() === 0 ? accountOf('postgres') : null
  const account = owner ?? {}
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'holdfast', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    { ...account, cwd: '/', encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb of "${bin}" ended with ${made.status}: ${made.stderr}`)
  const flags = ['-D', data, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`]
  const close = await startUntil({
    program: join(bin, 'postgres'),
    flags,
    account,
    isReady: (said) => said.includes('ready to accept connections'),
    endsWith: 'SIGINT',
    folder,
  })
  return { url: `postgres://holdfast@localhost/postgres?host=${encodeURIComponent(folder)}`, close }
}

/** Starts Redis without anything that it keeps, from HOLDFAST_REDIS_SERVER or where Debian puts it. */
export async function startRedis(): Promise<RealService> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'hf-redis-'))
  const close = await startUntil({
    program: process.env['HOLDFAST_REDIS_SERVER'] ?? '/usr/bin/redis-server',
    flags: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
    account: {},
    isReady: (said) => said.includes('Ready to accept connections'),
    endsWith: 'SIGTERM',
    folder,
  })
  return { url: `redis://127.0.0.1:${port}`, close }
}

interface Start {
  readonly program: string
  readonly flags: readonly string[]
  readonly account: { readonly uid?: number; readonly gid?: number }
  readonly isReady: (said: string) => boolean
  readonly endsWith: 'SIGINT' | 'SIGTERM'
  readonly folder: string
}

/** @returns what ends it and removes its folder. */
async function startUntil({ program, flags, account, isReady, endsWith, folder }: Start): Promise<() => Promise<void>> {
  if (!existsSync(program)) throw new Error(`There is no ${program}; docs/TESTING.md says what the tests need`)
  const child = spawn(program, [...flags], { ...account, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      if (said.length < 100_000) said += piece
    })
  const end = performance.now() + LIMIT_MS
  while (!isReady(said)) {
    if (child.exitCode !== null || performance.now() > end) throw new Error(`${program} did not start: ${said}`)
    await passed(20)
  }
  return async () => {
    const exited = once(child, 'exit')
    child.kill(endsWith)
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
}

/** PostgreSQL refuses to run as root. */
function accountOf(name: string): { readonly uid: number; readonly gid: number } {
  const idOf = (flag: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port')
  return address.port
}
