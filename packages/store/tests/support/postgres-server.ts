import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import pg from 'pg'

/** A database of its own on the test server. */
export interface TestDatabase {
  readonly name: string
  readonly connectionString: string
  /** Runs SQL as the server's superuser, past the store. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Ends every connection to the database and removes it. */
  drop(): Promise<void>
}

/** A PostgreSQL server in a folder of its own. */
export interface TestServer {
  /** Where its sockets, its log and its data are. */
  readonly folder: string
  createDatabase(): Promise<TestDatabase>
  start(): Promise<void>
  /** `kill` is what a power cut is to the server: its processes end without a word. */
  stop(how: 'fast' | 'kill'): Promise<void>
  /** Stops it and removes its folder. */
  remove(): Promise<void>
}

export const SUPERUSER = 'holdfast'
const START_LIMIT_MS = 60_000
const END_LIMIT_MS = 10_000
const OLDEST_VERSION = 15

const NO_SERVER = `No PostgreSQL ${OLDEST_VERSION} or newer was found: looked for initdb and postgres in HOLDFAST_POSTGRES_BIN, \
in /usr/lib/postgresql/*/bin and on PATH. These tests run on a real server and are never skipped. Install one \
(Debian, Ubuntu: apt-get install postgresql; Fedora: dnf install postgresql-server; macOS: brew install postgresql@17), \
or set HOLDFAST_POSTGRES_BIN to the folder that holds its programs.`

/** A new database on the server that all tests of this run share; the first one that asks starts it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createDatabaseOn(await sharedServerFolder())
}

/** A server for one test alone, which may stop and damage it. */
export async function startTestServer(settings: Readonly<Record<string, string>>): Promise<TestServer> {
  return startServerIn(runFolder(), settings)
}

async function startServerIn(parent: string, settings: Readonly<Record<string, string>>): Promise<TestServer> {
  const bin = findPrograms()
  const account = serverAccount()
  const folder = mkdtempSync(join(parent, 's-'))
  if (account) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '-k', '-N'],
    account,
  )
  let server: ChildProcess | null = null
  const start = async () => {
    server = await startPostgres(bin, folder, { account, settings })
  }
  const stop = async (how: 'fast' | 'kill') => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await ended
  }
  await start()
  return {
    folder,
    start,
    stop,
    createDatabase: () => createDatabaseOn(folder),
    remove: async () => {
      await stop('kill')
      await removeFolder(folder)
    },
  }
}

/** What the server, or the making of one, still writes while it goes makes a removal fail in the middle. */
async function removeFolder(folder: string): Promise<void> {
  const deadline = Date.now() + END_LIMIT_MS
  while (existsSync(folder)) {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      if (Date.now() > deadline) throw error
      await delay(50)
    }
  }
}

/** The connection string of a database on the server whose sockets are in `folder`. */
function connectionStringOf(folder: string, database: string): string {
  return `postgres://${SUPERUSER}@localhost/${database}?host=${encodeURIComponent(folder)}`
}

let databaseCount = 0

async function createDatabaseOn(folder: string): Promise<TestDatabase> {
  databaseCount += 1
  const name = `test_${process.pid}_${isMainThread ? 0 : 1}_${databaseCount}_${Date.now().toString(36)}`
  const admin = (text: string) => withClient(connectionStringOf(folder, 'postgres'), (client) => client.query(text))
  await admin(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
  const connectionString = connectionStringOf(folder, name)
  return {
    name,
    connectionString,
    sql: <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      withClient(connectionString, async (client) => (await client.query<Row>(text, [...values])).rows),
    drop: async () => {
      await admin(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`)
    },
  }
}

async function withClient<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 })
  // A connection that the server ends fails its query; the event says nothing more.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function startPostgres(
  bin: string,
  folder: string,
  { account, settings }: { account: Account | null; settings: Readonly<Record<string, string>> },
): Promise<ChildProcess> {
  const all = {
    listen_addresses: '',
    unix_socket_directories: folder,
    shared_buffers: '32MB',
    max_connections: '120',
    log_min_messages: 'fatal',
    ...settings,
  }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(bin, 'postgres'), ['-D', join(folder, 'data'), ...options], {
    ...account,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  server.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000)
  })
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline) {
    if (server.exitCode !== null)
      throw new Error(`PostgreSQL of ${bin} ended with ${server.exitCode} when it was started: ${said}`)
    if (await answers(folder)) return server
    await delay(20)
  }
  server.kill('SIGQUIT')
  throw new Error(`PostgreSQL of ${bin} did not answer within ${START_LIMIT_MS} ms of its start: ${said}`)
}

async function answers(folder: string): Promise<boolean> {
  try {
    await withClient(connectionStringOf(folder, 'postgres'), (client) => client.query('SELECT 1'))
    return true
  } catch {
    return false
  }
}

async function run(program: string, parameters: readonly string[], account: Account | null): Promise<void> {
  const child = spawn(program, [...parameters], { ...account, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const hear = (chunk: Buffer) => {
    said += chunk.toString()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  await once(child, 'close')
  if (child.exitCode !== 0) throw new Error(`${program} ended with ${child.exitCode}: ${said}`)
}

/** The folder of the newest server that can be used. */
function findPrograms(): string {
  const named = process.env['HOLDFAST_POSTGRES_BIN']
  const installed = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql')
        .filter((version) => Number(version) >= OLDEST_VERSION)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => `/usr/lib/postgresql/${version}/bin`)
    : []
  const places = named ? [named] : [...installed, ...(process.env['PATH'] ?? '').split(':')]
  const found = places.find((place) => existsSync(join(place, 'initdb')) && existsSync(join(place, 'postgres')))
  if (!found) throw new Error(NO_SERVER)
  return found
}

interface Account {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root: the account it runs as instead; null when we are not root. */
function serverAccount(): Account | null {
  if (process.getuid?.() !== 0) return null
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const account = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody')
  if (!account) throw new Error('PostgreSQL does not run as root, and there is no account "postgres" or "nobody"')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}

/** The path of a socket has at most 107 bytes. */
function socketParent(): string {
  return tmpdir().length > 60 ? '/tmp' : tmpdir()
}

// One server for all workers of a test run. The first worker that needs it makes the folder of the run and starts
// a keeper, a process that outlives the worker. When the test run has ended, however it did, the keeper ends every
// server in the folder and removes it.

/** The process that runs all workers. */
function runProcessId(): number {
  return isMainThread ? process.ppid : process.pid
}

/** The folder of this test run, with its keeper. */
function runFolder(): string {
  const place = join(socketParent(), `hfpg-${runProcessId()}`)
  if (makeFolder(place)) startKeeper(place)
  return place
}

async function sharedServerFolder(): Promise<string> {
  const place = runFolder()
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline) {
    if (existsSync(join(place, 'ready'))) return readFileSync(join(place, 'ready'), 'utf8')
    if (existsSync(join(place, 'failed'))) throw new Error(readFileSync(join(place, 'failed'), 'utf8'))
    await delay(20)
  }
  throw new Error(`The test server of ${place} was not ready within ${START_LIMIT_MS} ms`)
}

/** Whether this call made the folder; it must not be somebody else's. The server's account passes through it. */
function makeFolder(place: string): boolean {
  try {
    mkdirSync(place)
    chmodSync(place, 0o711)
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    if (lstatSync(place).uid !== process.getuid?.()) throw new Error(`${place} belongs to another user; remove it`)
    return false
  }
}

function startKeeper(place: string): void {
  const parameters = [fileURLToPath(import.meta.url), 'keep', place, String(runProcessId())]
  spawn(process.execPath, parameters, { detached: true, stdio: 'ignore', cwd: '/' }).unref()
}

async function keep(place: string, watchedProcessId: number): Promise<void> {
  const say = (name: string, text: string) => {
    writeFileSync(join(place, `${name}.new`), text)
    renameSync(join(place, `${name}.new`), join(place, name))
  }
  try {
    const server = await startServerIn(place, {})
    say('ready', server.folder)
  } catch (error) {
    say('failed', error instanceof Error ? error.message : String(error))
  }
  while (isAlive(watchedProcessId)) await delay(250)
  await endServersIn(place)
  await removeFolder(place)
}

/** Those of workers that were killed too. */
async function endServersIn(place: string): Promise<void> {
  for (const name of readdirSync(place)) {
    const file = join(place, name, 'data', 'postmaster.pid')
    if (!existsSync(file)) continue
    const processId = Number(readFileSync(file, 'utf8').split('\n')[0])
    if (isAlive(processId)) process.kill(processId, 'SIGQUIT')
    const deadline = Date.now() + END_LIMIT_MS
    while (isAlive(processId) && Date.now() < deadline) await delay(20)
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch {
    return false
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'keep' && process.argv[3]) {
  await keep(process.argv[3], Number(process.argv[4]))
}
