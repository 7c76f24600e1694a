import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { forwardLines } from './forward-lines.ts'

/** A PostgreSQL server of a test that ends and comes back, at one port of this computer. */
export interface FailingPostgres {
  readonly port: number
  /** Starts it, anew where it runs. */
  start(): Promise<void>
  /** Ends it at once, as an operator's restart does. */
  stop(): Promise<void>
  /** A second server that has everything that this one acknowledges. */
  startStandby(): Promise<FailingPostgres>
  /** Makes a standby one that is written to. */
  promote(): void
  remove(): Promise<void>
}

const USER = 'holdfast'
const MAX_CONNECTIONS = 30

/** Makes a server with an empty database below a folder, and starts it. */
export async function startFailingPostgres(place: string): Promise<FailingPostgres> {
  const folder = newFolder(place)
  const options = ['-D', join(folder, 'data'), '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']
  run('initdb', options)
  const server = await serverIn(folder)
  await server.start()
  return server
}

/** What stands between a program and its database, and leads elsewhere when it is told to. */
export interface Forwarder {
  readonly port: number
  /** Cuts what is open; what comes from now on goes to this port. */
  leadTo(port: number): void
  close(): Promise<void>
}

/** Starts it on a free port. */
export async function startForwarder(first: number): Promise<Forwarder> {
  let target = first
  const lines = await forwardLines(
    () => target,
    (from, to) => from.pipe(to),
  )
  return {
    port: lines.port,
    leadTo(port) {
      target = port
      lines.cut()
    },
    close: lines.close,
  }
}

async function serverIn(folder: string): Promise<FailingPostgres> {
  const port = await freePort()
  const data = join(folder, 'data')
  let server: ChildProcess | null = null
  let ended = Promise.resolve()
  const stop = async (): Promise<void> => {
    server?.kill('SIGINT')
    await ended
    server = null
  }
  return {
    port,
    async start() {
      await stop()
      const settings = {
        listen_addresses: '127.0.0.1',
        port: String(port),
        unix_socket_directories: folder,
        max_connections: String(MAX_CONNECTIONS),
      }
      const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
      const started = spawn(join(bin(), 'postgres'), ['-D', data, ...options], {
        ...account(),
        cwd: '/',
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      server = started
      ended = new Promise((resolve) => started.on('close', () => resolve()))
      await untilReady(started)
    },
    stop,
    async startStandby() {
      const copy = newFolder(dirname(folder))
      const source = ['-h', '127.0.0.1', '-p', String(port), '-U', USER]
      run('pg_basebackup', ['-D', join(copy, 'data'), '-R', '-N', ...source])
      const standby = await serverIn(copy)
      await standby.start()
      return standby
    },
    promote: () => run('pg_ctl', ['promote', '-D', data, '-w']),
    async remove() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    server.stderr?.on('data', (piece) => {
      said += piece
      if (/ready to accept (read-only )?connections/.test(said)) resolve()
    })
    server.on('close', () => reject(new Error(`PostgreSQL ended: ${said}`)))
  })
}

function run(program: string, options: readonly string[]): void {
  const ran = spawnSync(join(bin(), program), [...options], {
    ...account(),
    cwd: '/',
    encoding: 'utf8',
    timeout: 90_000,
  })
  if (ran.status !== 0) throw new Error(`${program} ended with ${ran.status}: ${ran.stderr}`)
}

/** Where servers of tests may be: the path of a socket has at most 107 bytes. */
export function shortTemporaryFolder(): string {
  return tmpdir().length > 60 ? '/tmp' : tmpdir()
}

function newFolder(place: string): string {
  const folder = mkdtempSync(join(place, 'hf-pg-'))
  const { uid, gid } = account()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

function bin(): string {
  const installed = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(b) - Number(a))
    : []
  const places = [
    process.env['HOLDFAST_POSTGRES_BIN'] ?? '',
    ...installed.map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...(process.env['PATH'] ?? '').split(':'),
  ]
  const found = places.find((place) => existsSync(join(place, 'initdb')) && existsSync(join(place, 'postgres')))
  if (found !== undefined) return found
  throw new Error('No PostgreSQL was found: install one, or set HOLDFAST_POSTGRES_BIN to the folder of its programs')
}

/** PostgreSQL refuses to run as root. */
function account(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A port was expected')
  return address.port
}
