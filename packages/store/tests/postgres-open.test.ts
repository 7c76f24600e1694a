import { StoreOpenError } from '@holdfast/conversation'
import { createPostgresStore } from '@holdfast/store/postgres'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { openSchema, refuseServer, type ServerFacts } from '../src/postgres/connection/open-schema.ts'
import { MIGRATIONS } from '../src/postgres/connection/schema.ts'
import { serverName } from '../src/postgres/connection/server-name.ts'
import { createTestDatabase, type TestDatabase } from './support/postgres-server.ts'
import { openOn } from './support/postgres-store.ts'
import { systemClock } from './support/system-clock.ts'

const databases: TestDatabase[] = []
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop()
})

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  databases.push(database)
  return database
}

/** The error with which a store refuses to open. */
async function refusal(connectionString: string): Promise<StoreOpenError> {
  const outcome = await createPostgresStore({ connectionString, clock: systemClock, poolSize: 2 }).then(
    async (opened) => {
      await opened.close()
      return null
    },
    (error: unknown) => error,
  )
  if (outcome instanceof StoreOpenError) return outcome
  throw outcome ?? new Error('It was expected to be refused, and was not')
}

function nothingIn(database: TestDatabase): Promise<unknown[]> {
  return database.sql(`SELECT nspname FROM pg_namespace WHERE nspname = 'holdfast'`)
}

/** Which transaction wrote the version, and made each table and index; what the server does by itself to keep house is no change. */
const WRITTEN = `
  SELECT 'version' AS what, xmin::text AS by FROM holdfast.meta
  UNION ALL SELECT relname, xmin::text FROM pg_class WHERE relnamespace = 'holdfast'::regnamespace ORDER BY what`

describe('opening a PostgreSQL store', () => {
  it('[LOG3] makes its tables once when eight processes open an empty database at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const database = await newDatabase()
      const opened = await Promise.all(Array.from({ length: 8 }, () => openOn(database)))
      for (const { close } of opened) await close()
      expect(await database.sql('SELECT schema_version FROM holdfast.meta')).toEqual([
        { schema_version: MIGRATIONS.length },
      ])
    }
  })

  it('[LOG6] refuses a schema of a newer version and changes nothing', async () => {
    const database = await newDatabase()
    const { close } = await openOn(database)
    await close()
    await database.sql(
      'UPDATE holdfast.meta SET schema_version = schema_version + 1, oldest_version = schema_version + 1',
    )
    const before = await database.sql(WRITTEN)
    const refused = await refusal(database.connectionString)
    expect(refused.code).toBe('newer-version')
    const known = `schema version ${MIGRATIONS.length + 1}; this Holdfast knows versions up to ${MIGRATIONS.length}`
    expect(refused.message).toContain(known)
    expect(refused.message).toContain('install that version')
    expect(await database.sql(WRITTEN)).toEqual(before)
  })

  it('[LOG6] refuses further connections of a store whose schema a newer Holdfast has changed', async () => {
    const database = await newDatabase()
    const { store, close } = await openOn(database)
    await database.sql(
      'UPDATE holdfast.meta SET schema_version = schema_version + 1, oldest_version = schema_version + 1',
    )
    await expect(store.read({ conversationId: 'a', after: 0, limit: 1 })).rejects.toMatchObject({ code: 'read-failed' })
    await expect(store.deleteConversation('a', 9_000)).rejects.toThrow('restart it with the newest Holdfast')
    await close()
  })

  it('[SCALE30] goes on, and opens, beside a later schema that lets it', async () => {
    const database = await newDatabase()
    const { store, close } = await openOn(database)
    await database.sql('UPDATE holdfast.meta SET schema_version = schema_version + 1')
    expect((await store.read({ conversationId: 'a', after: 0, limit: 1 })).entries).toEqual([])
    await close()
    const again = await openOn(database)
    expect((await again.store.read({ conversationId: 'a', after: 0, limit: 1 })).entries).toEqual([])
    await again.close()
    expect(await database.sql('SELECT schema_version FROM holdfast.meta')).toEqual([
      { schema_version: MIGRATIONS.length + 1 },
    ])
  })

  it('[LOG6] takes the steps that are missing, all of them or none', async () => {
    const { connectionString, sql } = await newDatabase()
    const server = serverName(connectionString)
    const step = ['CREATE TABLE holdfast.added (number integer)', 'INSERT INTO holdfast.added VALUES (7)']
    const broken = ['CREATE TABLE holdfast.never (number integer)', 'SELECT 1 / 0']
    await openSchema({ connectionString, server, migrations: MIGRATIONS })
    const target = { connectionString, server, migrations: [...MIGRATIONS, step, broken] }
    await expect(openSchema(target)).rejects.toThrow('division by zero')
    expect(await sql(`SELECT to_regclass('holdfast.added') AS added`)).toEqual([{ added: null }])
    expect(await sql('SELECT schema_version FROM holdfast.meta')).toEqual([{ schema_version: MIGRATIONS.length }])
    await openSchema({ connectionString, server, migrations: [...MIGRATIONS, step] })
    expect(await sql('SELECT number, schema_version FROM holdfast.added, holdfast.meta')).toEqual([
      { number: 7, schema_version: MIGRATIONS.length + 1 },
    ])
  })

  it('[LOG7] refuses a schema of that name that is not ours, and leaves it alone', async () => {
    const database = await newDatabase()
    await database.sql('CREATE SCHEMA holdfast CREATE TABLE entries (theirs text)')
    expect(await refusal(database.connectionString)).toMatchObject({ code: 'not-a-store' })
    expect(await database.sql(`SELECT tablename FROM pg_tables WHERE schemaname = 'holdfast'`)).toEqual([
      { tablename: 'entries' },
    ])
  })

  it('[LOG3] refuses a database that acknowledges before it has synced', async () => {
    for (const value of ['off', 'local']) {
      const database = await newDatabase()
      await database.sql(`ALTER DATABASE ${pg.escapeIdentifier(database.name)} SET synchronous_commit = ${value}`)
      const refused = await refusal(database.connectionString)
      expect(refused).toMatchObject({ code: 'not-writable' })
      expect(refused.message).toContain(`synchronous_commit = ${value}`)
      expect(await nothingIn(database)).toEqual([])
    }
  })

  it('[LOG3] refuses to write on a connection made after synchronous_commit was turned off', async () => {
    const database = await newDatabase()
    const { store, close } = await openOn(database)
    await database.sql(`ALTER DATABASE ${pg.escapeIdentifier(database.name)} SET synchronous_commit = off`)
    await expect(store.deleteConversation('a', 9_000)).rejects.toMatchObject({
      name: 'StoreWriteError',
      code: 'not-writable',
    })
    await close()
  })

  it('[LOG8] says that a database is read-only', async () => {
    const database = await newDatabase()
    await database.sql(`ALTER DATABASE ${pg.escapeIdentifier(database.name)} SET default_transaction_read_only = on`)
    expect(await refusal(database.connectionString)).toMatchObject({ code: 'not-writable' })
    expect(await nothingIn(database)).toEqual([])
  })

  it('[LOG8] names the server and the database that cannot be reached, and never the password', async () => {
    const refused = await refusal('postgres://someone:hunter2@127.0.0.1:1/talks')
    expect(refused.code).toBe('unreachable')
    expect(refused.message).toContain('PostgreSQL database "talks" at 127.0.0.1:1')
    expect(JSON.stringify([refused, refused.message, String(refused.cause), refused.stack])).not.toContain('hunter2')
  })

  it('[LOG8] says that a database does not exist', async () => {
    const { connectionString, name } = await newDatabase()
    const refused = await refusal(connectionString.replace(name, 'no_such_database'))
    expect(refused).toMatchObject({ code: 'missing' })
    expect(refused.message).toMatch(/PostgreSQL database "no_such_database" at the socket in .* does not exist/)
  })

  it('[SEC4] refuses a URL whose password is not encoded without repeating any of it', async () => {
    const urls = [
      'postgres://someone:12#hunter2@host/talks',
      'postgres://someone:12/hunter2@host/talks',
      'postgres://someone:12?hunter2@host/talks',
      'postgres://someone:hunter2@host:port/talks',
      'hunter2',
      '',
    ]
    for (const url of urls) {
      const refused = await refusal(url)
      expect(refused.message).toContain('percent-encoded')
      expect(JSON.stringify([refused, refused.message, String(refused.cause), refused.stack])).not.toContain('hunter2')
    }
  })

  it('[LOG3] refuses servers that could not keep their promises', () => {
    const good: ServerFacts = {
      versionNumber: 150_018,
      encoding: 'UTF8',
      isStandby: false,
      isReadOnly: false,
      synchronousCommit: 'on',
      fsync: 'on',
    }
    const refused = (facts: Partial<ServerFacts>) => () => refuseServer({ ...good, ...facts }, 'the server')
    expect(refused({})).not.toThrow()
    expect(refused({ synchronousCommit: 'remote_apply', versionNumber: 180_001 })).not.toThrow()
    expect(refused({ versionNumber: 140_020 })).toThrow('the server is PostgreSQL 14; 15 or newer is needed')
    expect(refused({ encoding: 'SQL_ASCII' })).toThrow('SQL_ASCII')
    expect(refused({ isStandby: true })).toThrow('standby')
    expect(refused({ isReadOnly: true })).toThrow('read_only')
    expect(refused({ synchronousCommit: 'off' })).toThrow('synchronous_commit = off')
    expect(refused({ fsync: 'off' })).toThrow('fsync = off')
  })
})
