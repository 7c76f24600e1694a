import { conversationCreated, usageRecorded } from '@holdfast/conversation/testing'
import { lookAtPostgresStore, type PostgresReader, restorePostgresStore } from '@holdfast/store/postgres'
import { afterEach, describe, expect, it } from 'vitest'
import { openSchema } from '../src/postgres/connection/open-schema.ts'
import { MIGRATIONS } from '../src/postgres/connection/schema.ts'
import { createTestDatabase, type TestDatabase } from './support/postgres-server.ts'
import { openOn, useNewFiles } from './support/postgres-store.ts'
import { systemClock } from './support/system-clock.ts'

const newFile = useNewFiles()

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  closing.push(() => database.drop())
  return database
}

function look<Value>(
  { connectionString }: TestDatabase,
  work: (reader: PostgresReader) => Promise<Value>,
): Promise<Value> {
  return lookAtPostgresStore({ connectionString, clock: systemClock }, work)
}

const signal = () => AbortSignal.timeout(30_000)
const check = (reader: PostgresReader) => reader.check(signal())

describe('a look at a PostgreSQL store', () => {
  it('[LOG17] makes none where there is none', async () => {
    const database = await newDatabase()
    await expect(look(database, check)).rejects.toMatchObject({ code: 'missing' })
    expect(await database.sql(`SELECT nspname FROM pg_namespace WHERE nspname = 'holdfast'`)).toEqual([])
  })

  it('[LOG17] brings none of an older version to the newest', async () => {
    const database = await newDatabase()
    const { connectionString } = database
    await openSchema({ connectionString, server: 'the database', migrations: MIGRATIONS.slice(0, -1) })
    await expect(look(database, check)).rejects.toMatchObject({ code: 'older-version' })
    expect(await database.sql('SELECT schema_version AS version FROM holdfast.meta')).toEqual([
      { version: MIGRATIONS.length - 1 },
    ])
  })

  it('[LOG17] reads, sums and copies what another process has open, and sees its damage', async () => {
    const database = await newDatabase()
    const { store, close } = await openOn(database)
    closing.push(close)
    const entries = [conversationCreated('user_1'), usageRecorded('run_1', 'step_1', { input: 3, output: 1 })]
    await store.append({ conversationId: 'talk', after: 0, entries, at: 1_000 })
    const file = await newFile()
    const query = { ownerId: 'user_1', from: 0, to: 2_000, limit: 10 }
    const seen = await look(database, async (reader) => {
      await reader.backup(file, signal())
      return { report: await reader.check(signal()), usage: await reader.readUsage(query) }
    })
    expect(seen.report).toEqual({ conversationCount: 1, entryCount: 2, damages: [] })
    expect(seen.usage).toEqual(await store.readUsage(query))
    const copy = await newDatabase()
    await restorePostgresStore({ from: file, connectionString: copy.connectionString })
    expect(await look(copy, check)).toEqual(seen.report)
    await expect(restorePostgresStore({ from: file, connectionString: copy.connectionString })).rejects.toMatchObject({
      code: 'exists',
    })
    await database.sql(`UPDATE holdfast.entries SET body = replace(body, 'user_1', 'user_2') WHERE seq = 1`)
    expect((await look(database, check)).damages).toMatchObject([{ conversationId: 'talk', firstBadSeq: 1 }])
  })
})
