import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { chmod, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import {
  type FailingPostgres,
  type Forwarder,
  shortTemporaryFolder,
  startFailingPostgres,
  startForwarder,
} from './support/failing-postgres.ts'
import { type Program, startProgram } from './support/program.ts'

vi.setConfig({ testTimeout: 180_000 })

/** How long the database is away. */
const AWAY_MS = 10_000

/** Only who may make file systems can have a full one. */
const MAY_MOUNT = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

let base: string
/** A disk of the database's own, where there may be one. */
let disk: string | null
let postgres: FailingPostgres
let forwarder: Forwarder
let program: Program

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-faults-'))
  disk = MAY_MOUNT ? await mountDisk() : null
  postgres = await startFailingPostgres(disk ?? shortTemporaryFolder())
  forwarder = await startForwarder(postgres.port)
  program = await startProgram(join(base, 'data'), {
    HOLDFAST_DATABASE_URL: `postgres://holdfast@127.0.0.1:${forwarder.port}/postgres`,
  })
})

afterEach(async () => {
  await program.stop()
  await forwarder.close()
  await postgres.remove()
  if (disk !== null) unmount(disk)
  await rm(base, { recursive: true })
})

async function mountDisk(): Promise<string> {
  const at = mkdtempSync(join(shortTemporaryFolder(), 'hf-disk-'))
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', at]).status).toBe(0)
  // PostgreSQL has an account of its own.
  await chmod(at, 0o755)
  return at
}

function unmount(at: string): void {
  expect(spawnSync('umount', ['-l', at]).status).toBe(0)
  rmdirSync(at)
}

test('[SCALE17] a PostgreSQL that restarts for 10 s: commands are answered with 503 or wait, and nothing acknowledged is lost', async () => {
  const person = beginConversations()
  await person.untilAcknowledged(5)
  await postgres.stop()
  const refused = person.refusedCount()
  await delay(AWAY_MS)
  expect(person.refusedCount()).toBeGreaterThan(refused)
  await postgres.start()
  await person.untilAcknowledged(person.acknowledged().length + 5)
  await expectNothingLost(await person.end())
})

test('[SCALE17] a PostgreSQL that is read-only: it is still read, writes are answered with 503, and go on afterwards', async () => {
  const person = beginConversations()
  await person.untilAcknowledged(5)
  await asOperator(async (sql) => {
    await sql('ALTER SYSTEM SET default_transaction_read_only = on')
    await sql('SELECT pg_reload_conf()')
  })
  await person.untilRefused(person.refusedCount() + 2)
  const [first = ''] = person.acknowledged()
  expect((await get(`/conversations/${first}`)).status).toBe(200)
  await asOperator(async (sql) => {
    await sql('SET default_transaction_read_only = off')
    await sql('ALTER SYSTEM RESET default_transaction_read_only')
    await sql('SELECT pg_reload_conf()')
  })
  await person.untilAcknowledged(person.acknowledged().length + 5)
  await expectNothingLost(await person.end())
})

test('[SCALE17] a PostgreSQL that is out of connections: commands are answered with 503, and go on when there are some', async () => {
  const person = beginConversations()
  await person.untilAcknowledged(5)
  const others: pg.Client[] = []
  const refused = person.refusedCount()
  while (person.refusedCount() < refused + 2) {
    await takeConnections(others)
    await others[0]?.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'holdfast' AND pid <> pg_backend_pid()`,
    )
  }
  await Promise.all(others.map((other) => other.end()))
  await person.untilAcknowledged(person.acknowledged().length + 5)
  await expectNothingLost(await person.end())
})

test.skipIf(!MAY_MOUNT)(
  '[SCALE29] a PostgreSQL without room on its disk: what does not fit is refused with 503 and words, and goes on with room',
  async () => {
    const person = beginConversations()
    await person.untilAcknowledged(5)
    const ballast = join(disk ?? '', 'ballast')
    await fill(ballast)
    await person.untilRefused(person.refusedCount() + 3)
    expect(person.lastRefusal()).toMatch(/no space left on its disk|refused the connection|cannot be reached/)
    // Without room for its own log it ends, and an operator starts it again.
    await rm(ballast)
    await postgres.start()
    await person.untilAcknowledged(person.acknowledged().length + 5)
    await expectNothingLost(await person.end())
  },
)

/** Takes all room that there is. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  const pieces = [8 * 1_024 * 1_024, 64 * 1_024, 4 * 1_024]
  for (const size of pieces) {
    const piece = Buffer.alloc(size, 'x')
    try {
      for (;;) await file.appendFile(piece)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
  await file.close()
}

test('[SCALE17] a PostgreSQL that fails over to another server: commands go on there, and nothing acknowledged is lost', async () => {
  const standby = await postgres.startStandby()
  try {
    // A commit is acknowledged once the standby has it.
    await asOperator(async (sql) => {
      await sql(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
      await sql('SELECT pg_reload_conf()')
    })
    const person = beginConversations()
    await person.untilAcknowledged(10)
    await postgres.stop()
    standby.promote()
    forwarder.leadTo(standby.port)
    await person.untilAcknowledged(person.acknowledged().length + 5)
    await expectNothingLost(await person.end())
  } finally {
    await standby.remove()
  }
})

/** Somebody who begins one conversation after another, and each of them until it is acknowledged. */
function beginConversations() {
  const acknowledged: string[] = []
  let refused = 0
  let lastRefusal = ''
  let goesOn = true
  const work = (async () => {
    for (let number = 0; goesOn; number++) {
      const body = JSON.stringify({ commandId: `create_${number}` })
      while (goesOn) {
        const answer = await fetch(`${program.url}/api/v1/conversations`, { method: 'POST', headers: headers(), body })
        const text = await answer.text()
        if (answer.ok) {
          acknowledged.push(z.object({ id: z.string() }).parse(JSON.parse(text)).id)
          break
        }
        expect(answer.status, text).toBe(503)
        refused += 1
        lastRefusal = text
        await delay(100)
      }
      await delay(20)
    }
  })()
  // What goes wrong with the person ends the wait too.
  const soon = (isSo: () => boolean) =>
    Promise.race([expect.poll(isSo, { timeout: 90_000, interval: 50 }).toBe(true), work])
  return {
    acknowledged: (): readonly string[] => acknowledged,
    refusedCount: () => refused,
    lastRefusal: () => lastRefusal,
    untilAcknowledged: (count: number) => soon(() => acknowledged.length >= count),
    untilRefused: (count: number) => soon(() => refused >= count),
    async end(): Promise<readonly string[]> {
      goesOn = false
      await work
      return acknowledged
    },
  }
}

async function expectNothingLost(acknowledged: readonly string[]): Promise<void> {
  expect(new Set(acknowledged).size).toBe(acknowledged.length)
  for (const id of acknowledged) expect((await get(`/conversations/${id}`)).status, id).toBe(200)
  expect((await get('/health')).status).toBe(200)
}

function get(path: string): Promise<Response> {
  return fetch(`${program.url}/api/v1${path}`, { headers: headers() })
}

function headers(): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${program.token}`, 'content-type': 'application/json' }
}

async function asOperator(work: (sql: (text: string) => Promise<unknown>) => Promise<void>): Promise<void> {
  const client = await connectPast()
  try {
    await work((text) => client.query(text))
  } finally {
    await client.end()
  }
}

/** A connection that does not go over the forwarder. */
async function connectPast(): Promise<pg.Client> {
  const client = new pg.Client({ host: '127.0.0.1', port: postgres.port, user: 'holdfast', database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function takeConnections(taken: pg.Client[]): Promise<void> {
  for (;;) {
    try {
      taken.push(await connectPast())
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === '53300') return
      throw error
    }
  }
}
