import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A PostgreSQL server of this benchmark alone. */
export interface BenchServer {
  /** The folder of its data, which is on the disk that is measured. */
  readonly folder: string
  /** Makes an empty database and gives its connection string. */
  createDatabase(name: string): string
  /** Runs statements, each for itself. @returns the first column of the last, as text. */
  run(database: string, statements: readonly string[]): string
  /** Fills a table from rows in the text format of COPY, each without its line feed. */
  copy(into: { readonly database: string; readonly table: string }, rows: Iterable<string>): Promise<void>
}

/** What differs from the usual settings: a server with room, whose commits are durable. */
const SETTINGS = {
  listen_addresses: '',
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
}

/** Rows that go to the server in one piece. */
const ROWS_AT_ONCE = 1_000

/** Starts a server for as long as `use` takes. */
export async function withPostgresServer<Result>(use: (server: BenchServer) => Promise<Result>): Promise<Result> {
  const bin = findPrograms()
  // The path of a socket has at most 107 bytes.
  const folder = mkdtempSync(join(tmpdir().length > 60 ? '/tmp' : tmpdir(), 'hf-bench-'))
  const account = process.getuid?.() === 0 ? serverAccount() : null
  if (account) chownSync(folder, account.uid, account.gid)
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', join(folder, 'data'), '-U', 'holdfast', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'],
    { ...account, cwd: '/', encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb ended with ${made.status}: ${made.stderr}`)
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: folder })
  const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(bin, 'postgres'), ['-D', join(folder, 'data'), ...options], {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(server, 'close')
  try {
    await untilReady(server)
    return await use(clientOf(bin, folder))
  } finally {
    server.kill('SIGQUIT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    server.stderr?.on('data', (piece) => {
      said = `${said}${piece}`.slice(-4_000)
      if (said.includes('ready to accept connections')) resolve()
    })
    server.on('close', () => reject(new Error(`PostgreSQL ended: ${said}`)))
  })
}

function clientOf(bin: string, folder: string): BenchServer {
  const psql = (database: string): string[] => [
    '-X',
    '-q',
    '-v',
    'ON_ERROR_STOP=1',
    '-h',
    folder,
    '-U',
    'holdfast',
    database,
  ]
  const run: BenchServer['run'] = (database, statements) => {
    const commands = statements.flatMap((statement) => ['-c', statement])
    const ran = spawnSync(join(bin, 'psql'), [...psql(database), '-A', '-t', ...commands], { encoding: 'utf8' })
    if (ran.status !== 0) throw new Error(`psql ended with ${ran.status}: ${ran.stderr}`)
    return ran.stdout.trim().split('\n').at(-1) ?? ''
  }
  return {
    folder,
    run,
    createDatabase(name) {
      run('postgres', [`CREATE DATABASE ${name}`])
      return `postgres://holdfast@localhost/${name}?host=${encodeURIComponent(folder)}`
    },
    async copy({ database, table }, rows) {
      const client = spawn(join(bin, 'psql'), [...psql(database), '-c', `COPY ${table} FROM STDIN`], {
        stdio: ['pipe', 'ignore', 'inherit'],
      })
      const ended = once(client, 'close')
      await pipeline(Readable.from(inPieces(rows)), client.stdin)
      const [code] = await ended
      if (code !== 0) throw new Error(`COPY into ${table} ended with ${code}`)
    },
  }
}

function* inPieces(rows: Iterable<string>): Generator<string> {
  let held: string[] = []
  for (const row of rows) {
    held.push(row)
    if (held.length < ROWS_AT_ONCE) continue
    yield `${held.join('\n')}\n`
    held = []
  }
  if (held.length > 0) yield `${held.join('\n')}\n`
}

function findPrograms(): string {
  const installed = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(b) - Number(a))
    : []
  const places = [
    process.env['HOLDFAST_POSTGRES_BIN'] ?? '',
    ...installed.map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...(process.env['PATH'] ?? '').split(':'),
  ]
  const found = places.find((place) => existsSync(join(place, 'initdb')) && existsSync(join(place, 'psql')))
  if (found !== undefined) return found
  throw new Error('No PostgreSQL was found: install one, or set HOLDFAST_POSTGRES_BIN to the folder of its programs')
}

/** PostgreSQL refuses to run as root. */
function serverAccount(): { readonly uid: number; readonly gid: number } {
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}
