import { type EntryStore, StoreReadError, StoreWriteError } from '@holdfast/conversation'
import { conversationCreated, inputAdmitted } from '@holdfast/conversation/testing'
import type { PostgresStore } from '@holdfast/store/postgres'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { createDatabase, DATABASE_LIMITS, type DatabaseLimits } from '../src/postgres/connection/database.ts'
import { MIGRATIONS } from '../src/postgres/connection/schema.ts'
import { IMPATIENT, type StartPatience } from '../src/postgres/connection/start-patience.ts'
import { openPostgresStore } from '../src/postgres/create-store.ts'
import { createTestDatabase, startTestServer, type TestDatabase } from './support/postgres-server.ts'
import { systemClock } from './support/system-clock.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  closing.push(() => database.drop())
  return database
}

async function openWith(
  { connectionString }: Pick<TestDatabase, 'connectionString'>,
  options: Partial<DatabaseLimits> & { poolSize?: number; patience?: StartPatience },
): Promise<PostgresStore> {
  const { poolSize, patience, ...limits } = { poolSize: 4, ...options }
  const opened = await openPostgresStore(
    { connectionString, clock: systemClock, poolSize, ...(patience ? { patience } : {}) },
    { ...DATABASE_LIMITS, ...limits },
  )
  closing.push(opened.close)
  return opened
}

/** A connection past the store, which a test may leave in the middle of a transaction. */
async function openSession({ connectionString }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  closing.push(() => client.end())
  return client
}

function begin(store: EntryStore, conversationId: string) {
  return store.append({ conversationId, after: 0, entries: [conversationCreated('user_1')], at: 1_000 })
}

function append(store: EntryStore, conversationId: string, after: number) {
  return store.append({ conversationId, after, entries: [inputAdmitted(`input ${after}`, 'words')], at: 2_000 })
}

async function headOf(store: EntryStore, conversationId: string): Promise<number> {
  return (await store.read({ conversationId, after: 0, limit: 1_000 })).entries.length
}

/** The error of a write that the database refused. */
async function writeError(write: Promise<unknown>): Promise<StoreWriteError> {
  const outcome = await write.then(
    () => new Error('It was expected to be refused, and was not'),
    (error: unknown) => error,
  )
  if (outcome instanceof StoreWriteError) return outcome
  throw outcome
}

/** Makes every insert into a table fail with an SQLSTATE, as the server itself would. */
function failInserts({ sql }: TestDatabase, { table, state }: { table: string; state: string }) {
  return sql(`
    CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '${state}'; END$$;
    CREATE TRIGGER refuse BEFORE INSERT ON holdfast.${table} FOR EACH ROW EXECUTE FUNCTION public.refuse()`)
}

describe('a PostgreSQL store whose database refuses', () => {
  it('[LOG8] says that the disk is full, stores nothing, and goes on once there is room', async () => {
    const database = await newDatabase()
    const { store } = await openWith(database, {})
    await begin(store, 'talk')
    for (const table of ['entries', 'commands']) {
      await failInserts(database, { table, state: '53100' })
      const command = { commandId: 'command_1', fingerprint: 'f' }
      const entries = [inputAdmitted('input_1', 'words')]
      const refused = await writeError(store.append({ conversationId: 'talk', after: 1, entries, at: 2_000, command }))
      expect(refused.code).toBe('disk-full')
      expect(refused.message).toContain(`PostgreSQL database "${database.name}"`)
      expect(refused.message).toContain('not acknowledged')
      expect(await headOf(store, 'talk')).toBe(1)
      expect(await store.readListing('talk')).toMatchObject({ head: 1 })
      await database.sql('DROP FUNCTION public.refuse CASCADE')
    }
    await append(store, 'talk', 1)
    expect(await headOf(store, 'talk')).toBe(2)
  })

  it('[LOG8] gives every kind of refusal its own code', async () => {
    const database = await newDatabase()
    const { store } = await openWith(database, {})
    await begin(store, 'talk')
    const codes = {
      '53100': 'disk-full',
      '53200': 'busy',
      '40001': 'busy',
      '40P01': 'busy',
      '25006': 'not-writable',
      '42501': 'not-writable',
      '58030': 'disk-error',
      XX001: 'disk-error',
      '57P01': 'unreachable',
    }
    for (const [state, code] of Object.entries(codes)) {
      await failInserts(database, { table: 'entries', state })
      expect((await writeError(append(store, 'talk', 1))).code).toBe(code)
      await database.sql('DROP FUNCTION public.refuse CASCADE')
    }
    await failInserts(database, { table: 'entries', state: '22012' })
    await expect(append(store, 'talk', 1)).rejects.toMatchObject({ code: '22012' })
  })

  it('[LOG8] says that the database became read-only, and still reads', async () => {
    const database = await newDatabase()
    const { store } = await openWith(database, {})
    await begin(store, 'talk')
    await database.sql(`ALTER DATABASE ${pg.escapeIdentifier(database.name)} SET default_transaction_read_only = on`)
    await endConnections(database)
    await eventually(() => headOf(store, 'talk'))
    expect((await writeError(append(store, 'talk', 1))).code).toBe('not-writable')
    expect((await writeError(store.acquireLease({ conversationId: 'talk', holder: 'a', ttlMs: 1 }))).code).toBe(
      'not-writable',
    )
    expect(await headOf(store, 'talk')).toBe(1)
  })

  it('[LOG8] gives up a write that waits too long for another, and stores nothing of it', async () => {
    const database = await newDatabase()
    const { store } = await openWith(database, { statementMs: 1_000 })
    await begin(store, 'talk')
    const session = await openSession(database)
    await session.query('BEGIN')
    await session.query('SELECT * FROM holdfast.conversations FOR UPDATE')
    expect((await writeError(append(store, 'talk', 1))).code).toBe('busy')
    expect((await writeError(store.deleteConversation('talk', 9_000))).code).toBe('busy')
    await session.query('ROLLBACK')
    expect(await headOf(store, 'talk')).toBe(1)
    await append(store, 'talk', 1)
  })

  it('[LOG8] says that every connection is in use', async () => {
    const database = await newDatabase()
    const { store } = await openWith(database, { poolSize: 1, connectMs: 1_000 })
    await begin(store, 'talk')
    const session = await openSession(database)
    await session.query('BEGIN')
    await session.query('SELECT * FROM holdfast.conversations FOR UPDATE')
    const waiting = append(store, 'talk', 1)
    const refused = await writeError(begin(store, 'other'))
    expect(refused.code).toBe('busy')
    expect(refused.message).toContain('no free connection for 1000 ms (all 1 are in use)')
    await expect(headOf(store, 'talk')).rejects.toBeInstanceOf(StoreReadError)
    await session.query('ROLLBACK')
    await waiting
    expect(await headOf(store, 'talk')).toBe(2)
  })

  it('[LOG8] says that the server takes no more connections', async () => {
    const database = await newDatabase()
    const role = `role_${database.name}`
    await database.sql(`CREATE ROLE ${role} LOGIN`)
    await database.sql(`ALTER DATABASE ${database.name} OWNER TO ${role}`)
    const connectionString = database.connectionString.replace('holdfast@', `${role}@`)
    const { store } = await openWith({ connectionString }, {})
    await database.sql(`ALTER ROLE ${role} CONNECTION LIMIT 0`)
    expect((await writeError(begin(store, 'talk'))).code).toBe('busy')
    await expect(headOf(store, 'talk')).rejects.toBeInstanceOf(StoreReadError)
    await database.sql(`ALTER ROLE ${role} CONNECTION LIMIT -1`)
    await begin(store, 'talk')
  })

  it('[LOG7] reads nothing rather than emptiness from a server that says nothing, and goes on with another connection', async () => {
    const database = await newDatabase()
    const { store } = await openWith(database, { poolSize: 1, statementMs: 1_000, silenceMs: 500 })
    await begin(store, 'talk')
    const [backend] = await database.sql<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = $1 AND application_name = 'holdfast'`,
      [database.name],
    )
    if (!backend) throw new Error('The store has no connection')
    process.kill(backend.pid, 'SIGSTOP')
    try {
      const refused = headOf(store, 'talk')
      await expect(refused).rejects.toBeInstanceOf(StoreReadError)
      await expect(refused).rejects.toThrow('did not answer within 1500 ms')
      expect(await headOf(store, 'talk')).toBe(1)
    } finally {
      process.kill(backend.pid, 'SIGCONT')
    }
  })

  it('[SCHED28] has a start wait for a server that takes no more connections, and says so, but not for ever', async () => {
    const server = await startTestServer({ max_connections: '5', superuser_reserved_connections: '0' })
    closing.push(server.remove)
    const database = await server.createDatabase()
    const told: string[] = []
    const taken: pg.Client[] = []
    const take = async () => {
      for (;;) {
        const client = new pg.Client({ connectionString: database.connectionString })
        client.on('error', () => {})
        const isTaken = await client.connect().then(
          () => true,
          () => false,
        )
        if (!isTaken) return
        taken.push(client)
      }
    }
    const free = () => Promise.all(taken.splice(0).map((client) => client.end()))
    closing.push(free)
    await take()
    const waits = Promise.withResolvers<void>()
    const onWait = (why: string) => {
      told.push(why)
      waits.resolve()
    }
    const opening = openWith(database, { patience: { limitMs: 60_000, isOver: () => false, onWait } })
    await waits.promise
    await free()
    const { store } = await opening
    expect(told[0]).toContain('is too busy')
    await begin(store, 'talk')
    await take()
    const short = { limitMs: 300, isOver: () => false, onWait }
    await expect(openWith(database, { patience: short })).rejects.toMatchObject({ code: 'unreachable' })
    await expect(openWith(database, { patience: { ...short, limitMs: 60_000, isOver: () => true } })).rejects.toThrow()
  })

  it('[SCHED28] has a start wait for its own connections beyond the usual limit', async () => {
    const database = await newDatabase()
    const waits = Promise.withResolvers<void>()
    let isStarted = false
    const patience = { limitMs: 60_000, isOver: () => isStarted, onWait: () => waits.resolve() }
    const { store } = await openWith(database, { poolSize: 1, connectMs: 200, patience })
    await begin(store, 'talk')
    const session = await openSession(database)
    await session.query('BEGIN')
    await session.query('LOCK TABLE holdfast.entries IN ACCESS EXCLUSIVE MODE')
    const holding = append(store, 'talk', 1)
    const reading = store.readListing('talk')
    await waits.promise
    await session.query('COMMIT')
    await holding
    expect(await reading).toMatchObject({ head: 2 })
    isStarted = true
    await session.query('BEGIN')
    await session.query('LOCK TABLE holdfast.entries IN ACCESS EXCLUSIVE MODE')
    const heldAgain = append(store, 'talk', 2)
    await expect(store.readListing('talk')).rejects.toThrow('had no free connection')
    await session.query('COMMIT')
    await heldAgain
  })

  it('[LOG7] reads an error and not emptiness where a table cannot be read', async () => {
    const database = await newDatabase()
    const { store, records } = await openWith(database, {})
    await begin(store, 'talk')
    await database.sql('ALTER TABLE holdfast.conversations RENAME COLUMN head TO tail')
    await database.sql('ALTER TABLE holdfast.records RENAME COLUMN value TO worth')
    await expect(headOf(store, 'talk')).rejects.toThrow('head')
    await expect(store.readListing('talk')).rejects.toThrow('head')
    await expect(records.changes(0, 10)).rejects.toThrow('value')
  })

  it('[LOG3] acknowledges no transaction that the server ended with a rollback', async () => {
    const database = await newDatabase()
    await openWith(database, {})
    const { connectionString } = database
    const direct = createDatabase({
      connectionString,
      server: 'the server',
      clock: systemClock,
      poolSize: 1,
      schemaVersion: MIGRATIONS.length,
      limits: DATABASE_LIMITS,
      whileBusy: IMPATIENT,
    })
    closing.push(direct.close)
    const swallowed = direct.write(async (sql) => {
      await sql('SELECT 1 / 0', []).catch(() => {})
      return 'acknowledged'
    })
    expect((await writeError(swallowed)).message).toContain('ended the transaction with ROLLBACK')
    expect(await direct.read((sql) => sql('SELECT 1 AS one', []))).toEqual([{ one: 1 }])
  })

  it('[LOG8] goes on after its connections were ended while nobody used them', async () => {
    const database = await newDatabase()
    const { store } = await openWith(database, {})
    await begin(store, 'talk')
    await Promise.all(Array.from({ length: 4 }, () => headOf(store, 'talk')))
    await endConnections(database)
    expect(await eventually(() => headOf(store, 'talk'))).toBe(1)
    await append(store, 'talk', 1)
  })

  it('[LOG8] keeps what it acknowledged through a crash of the server, and goes on when it is back', async () => {
    const server = await startTestServer({})
    closing.push(server.remove)
    const { store, close } = await openWith(await server.createDatabase(), {})
    closing.push(close)
    await begin(store, 'talk')
    for (const how of ['fast', 'kill'] as const) {
      const head = await headOf(store, 'talk')
      await append(store, 'talk', head)
      await server.stop(how)
      expect((await writeError(append(store, 'talk', head + 1))).code).toBe('unreachable')
      await expect(headOf(store, 'talk')).rejects.toBeInstanceOf(StoreReadError)
      await expect(store.readListing('talk')).rejects.toBeInstanceOf(StoreReadError)
      await expect(store.listConversations({ ownerId: 'user_1', archived: false, limit: 5 })).rejects.toBeInstanceOf(
        StoreReadError,
      )
      await server.start()
      expect(await headOf(store, 'talk')).toBe(head + 1)
      expect((await store.check(AbortSignal.timeout(10_000))).damages).toEqual([])
    }
  })
})

async function endConnections({ name, sql }: TestDatabase): Promise<void> {
  await sql(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = $1 AND application_name = 'holdfast'`,
    [name],
  )
}

/** The first answer that is one: a connection that was ended may still be tried first. */
async function eventually<Value>(read: () => Promise<Value>): Promise<Value> {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof StoreReadError)) throw error
    }
  }
  return read()
}
