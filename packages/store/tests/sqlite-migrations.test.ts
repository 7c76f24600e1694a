import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { StoreOpenError } from '@holdfast/conversation'
import type { Database } from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storeFiles } from '../src/sqlite/files/files.ts'
import { MIGRATIONS, type Migration, userVersion } from '../src/sqlite/files/migrations.ts'
import { closeStore, openStore } from '../src/sqlite/files/open-store.ts'
import { draftChecksum } from '../src/sqlite/tables/draft-table.ts'
import { startChild } from './support/child-process.ts'
import { SECOND_MIGRATION_STATEMENTS, secondMigration } from './support/second-migration.ts'
import { newFolder, openForTest, readLog, writeLog } from './support/sqlite-harness.ts'

const OPTIONS = { busyTimeoutMs: 100, maxPages: null, now: 1_000 }

describe('the migrations of the SQLite store', () => {
  it('[LOG6] bring an older store to the newest version with all it has', async () => {
    const dataDir = await storeOfNow()
    const database = opened(dataDir, [...MIGRATIONS, secondMigration])
    expect(userVersion(database)).toBe(MIGRATIONS.length + 1)
    expect(database.prepare('SELECT * FROM planted').all()).toEqual([{ conversation_id: 'a', entry_count: 40 }])
    expect(database.prepare('SELECT count(*) AS count FROM entries WHERE planted > 0').get()).toEqual({ count: 40 })
  })

  it('[LOG6] bring the drafts of open steps to the version in which a chunk names its step by a number', async () => {
    const dataDir = await newFolder()
    const files = storeFiles(dataDir)
    const { database: older } = openStore(files, OPTIONS, MIGRATIONS.slice(0, 2))
    const insert = older.prepare(
      'INSERT INTO drafts (conversation_id, run_id, step_id, checksum, deltas) VALUES (?, ?, ?, ?, ?)',
    )
    const said = [
      ['a', 'run_1', 'step_1', 'One '],
      ['b', 'run_2', 'step_1', 'other'],
      ['a', 'run_1', 'step_2', 'three'],
      ['a', 'run_1', 'step_1', 'two'],
    ] as const
    for (const [conversationId, runId, stepId, text] of said) {
      const deltas = JSON.stringify([{ stepId, block: 0, offset: 0, text }])
      insert.run(conversationId, runId, stepId, draftChecksum(conversationId, { runId, stepId, deltas }), deltas)
    }
    closeStore(older, files)
    const { store } = await openForTest(dataDir)
    expect(await store.readDrafts('a')).toMatchObject([
      { runId: 'run_1', stepId: 'step_1', deltas: [{ text: 'One ' }, { text: 'two' }] },
      { runId: 'run_1', stepId: 'step_2', deltas: [{ text: 'three' }] },
    ])
    expect(await store.readDrafts('b')).toMatchObject([{ runId: 'run_2', deltas: [{ text: 'other' }] }])
    expect((await store.check(new AbortController().signal)).damages).toEqual([])
  })

  it('[LOG6] leave the older version whole when one fails', async () => {
    const dataDir = await storeOfNow()
    const failing: Migration = (database) => {
      secondMigration(database)
      throw new TypeError('a defect')
    }
    expect(() => opened(dataDir, [...MIGRATIONS, failing])).toThrow('a defect')
    await expectNow(dataDir)
  })

  it('[LOG6] leave the older or the newer version when the process is killed in between', async () => {
    const dataDir = await storeOfNow()
    for (let after = 0; after < SECOND_MIGRATION_STATEMENTS.length; after++) {
      const child = startChild('killed-migration.ts', [dataDir, String(after)])
      const [, signal] = await once(child.process, 'exit')
      expect(signal).toBe('SIGKILL')
    }
    await expectNow(dataDir)
  })

  it('[LOG7] do not touch a store that is damaged', async () => {
    const dataDir = await storeOfNow()
    const { database } = storeFiles(dataDir)
    const bytes = readFileSync(database)
    const page = bytes.indexOf('"type":"input-admitted"') >> 12
    bytes.fill(0, page * 4_096, (page + 1) * 4_096)
    writeFileSync(database, bytes)
    expect(() => opened(dataDir, [...MIGRATIONS, secondMigration])).toThrow(StoreOpenError)
    expect(readFileSync(database).equals(bytes)).toBe(true)
  })
})

async function storeOfNow(): Promise<string> {
  const dataDir = await newFolder()
  const { store, close } = await openForTest(dataDir)
  await writeLog(store, 'a', 40)
  await close()
  return dataDir
}

async function expectNow(dataDir: string): Promise<void> {
  const { store } = await openForTest(dataDir)
  expect(await readLog(store, 'a')).toHaveLength(40)
  expect((await store.check(new AbortController().signal)).damages).toEqual([])
}

function opened(dataDir: string, migrations: readonly Migration[]): Database {
  const { database } = openStore(storeFiles(dataDir), OPTIONS, migrations)
  onTestFinished(() => {
    database.close()
  })
  return database
}
