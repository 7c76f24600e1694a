import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A pooler in transaction mode before a database. */
export interface Pooler {
  readonly connectionString: string
  stop(): Promise<void>
}

const PORT = 6432

/** Starts PgBouncer of its own, from HOLDFAST_PGBOUNCER or where Debian puts it, on a socket in a folder of its own. */
export async function startPooler(connectionString: string): Promise<Pooler> {
  const program = findProgram()
  const folder = mkdtempSync(join(tmpdir().length > 60 ? '/tmp' : tmpdir(), 'hf-pb-'))
  const database = new URL(connectionString)
  const account = process.getuid?.() === 0 ? accountOf('postgres') : null
  const settings = [
    '[databases]',
    `* = host=${database.searchParams.get('host')} user=${database.username}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    'listen_addr =',
    `listen_port = ${PORT}`,
    `unix_socket_dir = ${folder}`,
    'auth_type = any',
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `${settings.join('\n')}\n`)
  chmodSync(folder, 0o755)
  if (account) chownSync(folder, account.uid, account.gid)
  const child = spawn(program, ['-q', file], { ...account, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (piece) => {
    said += piece
  })
  const socket = join(folder, `.s.PGSQL.${PORT}`)
  for (let look = 0; !existsSync(socket); look += 1) {
    if (child.exitCode !== null || look > 500) throw new Error(`PgBouncer did not start: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const name = database.pathname.slice(1)
  return {
    connectionString: `postgres://${database.username}@localhost:${PORT}/${name}?host=${encodeURIComponent(folder)}`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGQUIT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function findProgram(): string {
  const places = [process.env['HOLDFAST_PGBOUNCER'] ?? '', '/usr/sbin/pgbouncer', '/usr/bin/pgbouncer']
  const found = places.find((place) => place !== '' && existsSync(place))
  if (found !== undefined) return found
  throw new Error('No PgBouncer was found: install one (Debian: pgbouncer), or set HOLDFAST_PGBOUNCER to the program')
}

function accountOf(name: string): { readonly uid: number; readonly gid: number } {
  const idOf = (flag: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}
