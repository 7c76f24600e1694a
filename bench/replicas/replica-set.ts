import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Audit, startAudit } from '@holdfast/store/testing'
import pg from 'pg'
import { startPostgres, startRedis } from '../server/real-services.ts'
import { startStampedProvider } from '../server/server-processes.ts'

/** One of the servers behind the balancer. */
export interface SetReplica {
  /** The role under which the database knows it; the one that comes after it has the same. */
  readonly role: string
  /** Starts it, or the next one in its place. */
  start(): Promise<void>
  kill(): Promise<void>
  pause(): void
  proceed(): void
}

/** Servers on one PostgreSQL and one Redis behind one balancer, each a process of its own. */
export interface ReplicaSet {
  /** The balancer's address, and what opens it. */
  readonly url: string
  readonly token: string
  readonly replicas: readonly SetReplica[]
  readonly audit: Audit
}

const BIN = new URL('../../apps/holdfast/bin/holdfast.js', import.meta.url).pathname

/** Starts so many servers for as long as `use` takes. `unchecked`: they do not check epochs. */
export async function withReplicaSet<Result>(
  { count, unchecked }: { readonly count: number; readonly unchecked: boolean },
  use: (set: ReplicaSet) => Promise<Result>,
): Promise<Result> {
  const ends: (() => unknown)[] = []
  try {
    const postgres = await startPostgres()
    ends.push(postgres.close)
    const redis = await startRedis()
    ends.push(redis.close)
    const provider = await startStampedProvider()
    ends.push(provider.close)
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
    ends.push(() => rmSync(folder, { recursive: true, force: true }))
    const token = randomBytes(32).toString('base64url')
    const [port = 0, ...ports] = await freePorts(count + 1)
    const hook = new URL('../../apps/holdfast/tests/replicas/without-epoch-check.mjs', import.meta.url)
    const shared = {
      HOLDFAST_REDIS_URL: redis.url,
      HOLDFAST_SECRET_KEY: randomBytes(32).toString('base64url'),
      ANTHROPIC_API_KEY: 'key-for-benches',
      ANTHROPIC_BASE_URL: provider.url,
      ...(unchecked ? { NODE_OPTIONS: `--import=${hook.href}` } : {}),
    }
    const replicas = ports.map((own, index) =>
      replicaAt({ folder, index, own, port, token, database: postgres.url, shared }),
    )
    for (const { role } of replicas) await inDatabase(postgres.url, `CREATE ROLE ${role} SUPERUSER LOGIN`)
    for (const replica of replicas) {
      ends.push(replica.kill)
      await replica.start()
    }
    const audit = await startAudit(postgres.url)
    ends.push(audit.close)
    ends.push(await startBalancer({ folder, port, ports }))
    return await use({ url: `http://127.0.0.1:${port}`, token, replicas, audit })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

interface Place {
  readonly folder: string
  readonly index: number
  readonly own: number
  readonly port: number
  readonly token: string
  readonly database: string
  readonly shared: Readonly<Record<string, string>>
}

function replicaAt({ folder, index, own, port, token, database, shared }: Place): SetReplica {
  const role = `replica_${index + 1}`
  const dataDir = mkdtempSync(join(folder, `${role}-`))
  writeFileSync(join(dataDir, 'start-up-token'), `${token}\n`, { mode: 0o600 })
  const flags = ['start', '--no-open', '--json', '--no-detect', '--log-level', 'error', '--data-dir', dataDir]
  const address = ['--port', String(own), '--allowed-host', `127.0.0.1:${port}`]
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, ...shared, HOLDFAST_DATABASE_URL: database.replace('holdfast@', `${role}@`) }
  let child: ChildProcess | null = null
  return {
    role,
    async start() {
      const started = spawn(process.execPath, [BIN, ...flags, ...address], { stdio: ['ignore', 'pipe', 'ignore'], env })
      child = started
      const [line] = await Promise.race([once(started.stdout, 'data'), once(started, 'exit')])
      if (!String(line).startsWith('{')) throw new Error(`${role} did not start: ${line}`)
    },
    async kill() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    pause: () => void child?.kill('SIGSTOP'),
    proceed: () => void child?.kill('SIGCONT'),
  }
}

async function inDatabase(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** HAProxy sends each request to any server, and what one refuses to another. @returns its end. */
async function startBalancer({
  folder,
  port,
  ports,
}: {
  readonly folder: string
  readonly port: number
  readonly ports: readonly number[]
}): Promise<() => Promise<void>> {
  const lines = [
    'defaults',
    '  mode http',
    '  option http-server-close',
    '  option redispatch 1',
    '  retries 3',
    '  timeout connect 1s',
    '  timeout client 60s',
    '  timeout server 60s',
    '  timeout tunnel 1h',
    'frontend all',
    `  bind 127.0.0.1:${port}`,
    '  default_backend servers',
    'backend servers',
    '  balance random',
    '  option httpchk GET /api/v1/health',
    '  http-check send hdr Host 127.0.0.1',
    '  http-check expect rstatus .*',
    ...ports.map((own, index) => `  server replica${index} 127.0.0.1:${own} check inter 500ms fall 2 rise 1`),
  ]
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const program = process.env['HOLDFAST_HAPROXY'] ?? '/usr/sbin/haproxy'
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'ignore'] })
  return async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  return servers.map((server) => {
    const address = server.address()
    server.close()
    if (typeof address !== 'object' || address === null) throw new Error('There is no free port')
    return address.port
  })
}
