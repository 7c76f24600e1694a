import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A real pgbouncer in transaction mode before a server. */
export interface Pooler {
  /** The same database over the pooler. */
  connectionStringOf(connectionString: string): string
  stop(): Promise<void>
}

/** Fewer connections to the server than a store opens, so that each of the store's is on several of the server's. */
const SERVER_CONNECTIONS = 3
const PORT = 6432
const START_LIMIT_MS = 20_000

/** Starts one before the server whose socket is in `serverFolder`. */
export async function startPooler(serverFolder: string, user: string): Promise<Pooler> {
  const program = process.env['HOLDFAST_PGBOUNCER'] ?? '/usr/sbin/pgbouncer'
  if (!existsSync(program))
    throw new Error('No pgbouncer was found: install it, or set HOLDFAST_PGBOUNCER to the program')
  const folder = mkdtempSync(join(tmpdir().length > 60 ? '/tmp' : tmpdir(), 'hf-pool-'))
  writeFileSync(join(folder, 'users'), `"${user}" ""\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${serverFolder}
[pgbouncer]
listen_addr =
listen_port = ${PORT}
unix_socket_dir = ${folder}
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 500
`,
  )
  const account = process.getuid?.() === 0 ? serverAccount() : null
  if (account)
    for (const name of ['', 'users', 'pgbouncer.ini']) chownSync(join(folder, name), account.uid, account.gid)
  const pooler = spawn(program, [join(folder, 'pgbouncer.ini')], {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await untilListening(pooler, join(folder, `.s.PGSQL.${PORT}`))
  return {
    connectionStringOf(connectionString) {
      const url = new URL(connectionString)
      url.searchParams.set('host', folder)
      url.searchParams.set('port', String(PORT))
      return url.href
    },
    async stop() {
      const ended = once(pooler, 'exit')
      pooler.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilListening(pooler: ChildProcess, socket: string): Promise<void> {
  let said = ''
  pooler.stderr?.on('data', (piece) => {
    said = `${said}${piece}`.slice(-4_000)
  })
  const deadline = Date.now() + START_LIMIT_MS
  while (!existsSync(socket)) {
    if (pooler.exitCode !== null || Date.now() > deadline) throw new Error(`pgbouncer did not start: ${said}`)
    await delay(20)
  }
}

/** It refuses to run as root, as PostgreSQL does. */
function serverAccount(): { readonly uid: number; readonly gid: number } {
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}
