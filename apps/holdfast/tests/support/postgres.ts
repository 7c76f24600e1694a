import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A real PostgreSQL server with an empty database. */
export interface Postgres {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a server of its own in a folder of its own, from HOLDFAST_POSTGRES_BIN or what is installed. */
export async function startPostgres(): Promise<Postgres> {
  const bin = findPrograms()
  // The path of a socket has at most 107 bytes.
  const folder = mkdtempSync(join(tmpdir().length > 60 ? '/tmp' : tmpdir(), 'hf-pg-'))
  const account = process.getuid?.() === 0 ? serverAccount() : null
  if (account) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const options = ['-D', data, '-U', 'holdfast', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']
  const made = spawnSync(join(bin, 'initdb'), options, { ...account, cwd: '/', encoding: 'utf8', timeout: 90_000 })
  if (made.status !== 0) throw new Error(`initdb ended with ${made.status}: ${made.stderr}`)
  const settings = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`, '-c', 'logging_collector=off']
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings], {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => server.on('close', () => resolve()))
  let said = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (piece) => {
      said += piece
      if (said.includes('ready to accept connections')) resolve()
    })
    void ended.then(() => reject(new Error(`PostgreSQL ended: ${said}`)))
  })
  return {
    url: `postgres://holdfast@localhost/postgres?host=${encodeURIComponent(folder)}`,
    async stop() {
      server.kill('SIGQUIT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The folder of its programs. */
export function findPrograms(): string {
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
function serverAccount(): { readonly uid: number; readonly gid: number } {
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}
