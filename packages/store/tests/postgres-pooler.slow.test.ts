import { StoreWriteError } from '@holdfast/conversation'
import {
  conversationCreated,
  describeBackup,
  describeEntryStore,
  describeRecords,
  inputAdmitted,
  type OpenStore,
} from '@holdfast/conversation/testing'
import { createPostgresStore } from '@holdfast/store/postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASE_LIMITS } from '../src/postgres/connection/database.ts'
import { openPostgresStore } from '../src/postgres/create-store.ts'
import { type EmptiedDatabases, keepEmptied } from './support/emptied-databases.ts'
import { type Pooler, startPooler } from './support/pooler.ts'
import { SUPERUSER, startTestServer, type TestDatabase, type TestServer } from './support/postgres-server.ts'
import { restoredStore, useNewFiles } from './support/postgres-store.ts'
import { systemClock } from './support/system-clock.ts'

let server: TestServer
let pooler: Pooler
let emptied: EmptiedDatabases
beforeAll(async () => {
  server = await startTestServer({})
  emptied = keepEmptied(server.createDatabase)
  pooler = await startPooler(server.folder, SUPERUSER)
})
afterAll(async () => {
  await pooler.stop()
  await server.remove()
})

async function openOn(database: TestDatabase): Promise<OpenStore> {
  const connectionString = pooler.connectionStringOf(database.connectionString)
  const { store, records, close } = await createPostgresStore({ connectionString, clock: systemClock, poolSize: 8 })
  return {
    store,
    records,
    reopen: async () => {
      await close()
      return openOn(database)
    },
    dispose: async () => {
      await close()
      await emptied.giveBack(database)
    },
  }
}

const harness = { open: async () => openOn(await emptied.take()) }

describeEntryStore('PostgreSQL behind pgbouncer [SCALE16]', harness)
describeRecords('PostgreSQL behind pgbouncer [SCALE16]', harness)
describeBackup('PostgreSQL behind pgbouncer [SCALE16]', {
  ...harness,
  newFile: useNewFiles(),
  restore: restoredStore,
})

describe('a store behind a pooler in transaction mode', () => {
  it('[SCALE16] leaves nothing of its settings on connections that others use after it', async () => {
    const database = await server.createDatabase()
    const connectionString = pooler.connectionStringOf(database.connectionString)
    const { store, close } = await createPostgresStore({ connectionString, clock: systemClock, poolSize: 8 })
    const begun = Array.from({ length: 24 }, (_, number) =>
      store.append({ conversationId: `c${number}`, after: 0, entries: [conversationCreated('user_1')], at: 1_000 }),
    )
    await Promise.all(begun)
    await Promise.all(begun.map((_, number) => store.read({ conversationId: `c${number}`, after: 0, limit: 10 })))
    const others = Array.from({ length: 6 }, () => new pg.Client({ connectionString }))
    for (const other of others) {
      await other.connect()
      const { rows } = await other.query<Record<string, string>>(
        `SELECT current_setting('statement_timeout') AS "limit", current_setting('enable_sort') AS sort,
          current_setting('jit') AS jit, current_setting('idle_in_transaction_session_timeout') AS idle`,
      )
      expect(rows).toEqual([{ limit: '0', sort: 'on', jit: 'on', idle: '0' }])
      await other.end()
    }
    await close()
    await database.drop()
  })

  it('[SCALE16] has its time limits in every transaction, whichever connection of the server it is on', async () => {
    const database = await server.createDatabase()
    const connectionString = pooler.connectionStringOf(database.connectionString)
    const limits = { ...DATABASE_LIMITS, statementMs: 400 }
    const { store, close } = await openPostgresStore({ connectionString, clock: systemClock, poolSize: 4 }, limits)
    await store.append({ conversationId: 'talk', after: 0, entries: [conversationCreated('user_1')], at: 1_000 })
    const holder = new pg.Client({ connectionString: database.connectionString })
    await holder.connect()
    await holder.query('BEGIN')
    await holder.query(`SELECT 1 FROM holdfast.conversations WHERE conversation_id = 'talk' FOR UPDATE`)
    const append = () =>
      store.append({ conversationId: 'talk', after: 1, entries: [inputAdmitted('input_1', 'words')], at: 2_000 })
    const refused = await append().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(StoreWriteError)
    expect(refused).toMatchObject({ code: 'busy' })
    await holder.query('ROLLBACK')
    await holder.end()
    expect((await append()).entries).toHaveLength(1)
    await close()
    await database.drop()
  })
})
