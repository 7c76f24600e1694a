import { existsSync } from 'node:fs'
import { copyFile, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { StoreOpenError } from '@holdfast/conversation'
import { createSqliteStore } from '@holdfast/store/sqlite'
import Database from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import { storeFiles } from '../src/sqlite/files/files.ts'
import { MIGRATIONS, migrate, userVersion } from '../src/sqlite/files/migrations.ts'
import { startChild } from './support/child-process.ts'
import { newFolder, openForTest, readLog, stillClock, writeLog } from './support/sqlite-harness.ts'

// Each test starts processes that write tens of megabytes.
vi.setConfig({ testTimeout: 300_000 })

/** Entries that fill the write-ahead file more than once, and a few that do not. */
const MANY = { count: 20, size: 1_000_000 }
const FEW = { count: 5, size: 10 }

describe('the write-ahead file of a store that was not closed', () => {
  for (const way of ['exit', 'throw']) {
    for (const { count, size } of [FEW, MANY]) {
      it(`[LOG7] calls nothing damaged where SQLite took all in when the process ended by ${way} after ${count} entries`, async () => {
        const dataDir = await newFolder()
        await ended(dataDir, { count, size, way })
        expect(existsSync(storeFiles(dataDir).wal)).toBe(false)
        expect(await stateOf(dataDir)).toMatchObject({ open: true })
        const { store } = await openForTest(dataDir)
        expect(await readLog(store, 'a')).toHaveLength(count)
      })
    }
  }

  for (const { count, size } of [FEW, MANY]) {
    it(`[LOG7] says that it is lost when it is gone, emptied or an older one, after ${count} entries and a kill`, async () => {
      const dataDir = await newFolder()
      const { wal } = storeFiles(dataDir)
      await ended(dataDir, { count, size, way: 'kill' })
      await copyFile(wal, `${wal}.older`)
      await ended(dataDir, { count: 1, size: 10, way: 'kill' })
      await ended(dataDir, { count: MANY.count, size: MANY.size, way: 'kill' })
      await copyFile(wal, `${wal}.newest`)
      const losses: readonly (() => Promise<void>)[] = [
        () => rm(wal),
        () => truncate(wal, 0),
        () => truncate(wal, 32),
        () => copyFile(`${wal}.older`, wal),
      ]
      for (const lose of losses) {
        await lose()
        expect((await openFailure(dataDir)).code).toBe('damaged')
        // Looking has changed nothing: with its file it is whole.
        await copyFile(`${wal}.newest`, wal)
      }
      const { store } = await openForTest(dataDir)
      expect(await readLog(store, 'a')).toHaveLength(count + 1 + MANY.count)
    })
  }

  it('[LOG7] still says so when a program that only looks has made an empty one', async () => {
    const dataDir = await newFolder()
    const { wal, database } = storeFiles(dataDir)
    await ended(dataDir, { count: FEW.count, size: FEW.size, way: 'kill' })
    await rm(wal)
    const looking = new Database(database, { readonly: true })
    looking.prepare('SELECT count(*) FROM sqlite_schema').get()
    looking.close()
    expect((await openFailure(dataDir)).code).toBe('damaged')
  })

  it('[LOG7] keeps the state open while another program reads what is in it, and loses nothing', async () => {
    const dataDir = await newFolder()
    const { database } = storeFiles(dataDir)
    const { store, close } = await openForTest(dataDir)
    await writeLog(store, 'a', 3)
    const looking = new Database(database, { readonly: true })
    looking.exec('BEGIN')
    looking.prepare('SELECT count(*) FROM entries').get()
    await writeLog(store, 'b', 3)
    await close()
    expect(await stateOf(dataDir)).toMatchObject({ open: true })
    looking.close()
    expect(await readLog((await openForTest(dataDir)).store, 'b')).toHaveLength(3)
  })

  it('[LOG6, LOG7] opens a folder of version 1, closed or killed, and says what is lost there as before', async () => {
    for (const wasKilled of [false, true]) {
      const dataDir = await folderOfVersion1({ wasKilled })
      const { store, close } = await openForTest(dataDir)
      expect(await readLog(store, 'a')).toHaveLength(4)
      await close()
      const upgraded = new Database(storeFiles(dataDir).database)
      expect(userVersion(upgraded)).toBe(MIGRATIONS.length)
      upgraded.close()
      expect(await stateOf(dataDir)).toMatchObject({ open: false, generation: 1 })
    }
    const lost = await folderOfVersion1({ wasKilled: true })
    await rm(storeFiles(lost).wal)
    expect((await openFailure(lost)).code).toBe('damaged')
  })

  it('[LOG5] takes it in again and again, so that it stays small', async () => {
    const dataDir = await newFolder()
    await ended(dataDir, { count: 45, size: 1_000_000, way: 'kill' })
    expect((await stat(storeFiles(dataDir).wal)).size).toBeLessThan(24 * 1_048_576)
  })
})

async function ended(
  dataDir: string,
  { count, size, way }: { readonly count: number; readonly size: number; readonly way: string },
): Promise<void> {
  const child = startChild('ended-writer.ts', [dataDir, String(count), String(size), way], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  expect(await child.nextLine()).toBe('written')
  expect(await child.nextLine()).toBe(null)
}

async function stateOf(dataDir: string): Promise<unknown> {
  return JSON.parse(await readFile(storeFiles(dataDir).state, 'utf8'))
}

async function openFailure(dataDir: string): Promise<StoreOpenError> {
  const outcome = await createSqliteStore({ dataDir, clock: stillClock }).then(
    ({ close }) => close(),
    (error: unknown) => error,
  )
  if (outcome instanceof StoreOpenError) return outcome
  throw outcome ?? new Error('It was expected to be refused, and opened')
}

/** A folder as the program of version 1 left it: its tables are those of then, its state is without the field. */
async function folderOfVersion1({ wasKilled }: { readonly wasKilled: boolean }): Promise<string> {
  const dataDir = await newFolder()
  const files = storeFiles(dataDir)
  const { store, close } = await openForTest(dataDir)
  await writeLog(store, 'a', 4)
  await close()
  const older = new Database(files.database)
  older.pragma('journal_mode = WAL')
  older.exec('DROP TABLE generation; DROP TABLE dropped_objects; ALTER TABLE blobs DROP COLUMN object_id')
  for (const column of ['used', 'conversation_id']) older.exec(`ALTER TABLE uploads DROP COLUMN ${column}`)
  older.exec('DROP TABLE draft_chunks; DROP TABLE draft_steps; ALTER TABLE leases DROP COLUMN drafts_after')
  const model = new Database(':memory:')
  migrate(model, MIGRATIONS.slice(0, 1))
  const ofDrafts = model.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE tbl_name = 'drafts' ORDER BY rowid")
  for (const sql of ofDrafts.pluck().all()) older.exec(sql)
  older.pragma('user_version = 1')
  expect(older.prepare('SELECT name FROM sqlite_schema ORDER BY name').all()).toEqual(
    model.prepare('SELECT name FROM sqlite_schema ORDER BY name').all(),
  )
  model.close()
  if (wasKilled) {
    await copyFile(files.wal, `${files.wal}.kept`)
    await copyFile(files.database, `${files.database}.kept`)
  }
  older.close()
  if (wasKilled) {
    await rename(`${files.database}.kept`, files.database)
    await rename(`${files.wal}.kept`, files.wal)
  }
  const state = { pid: 7, openedAt: 1, established: true, open: wasKilled, restoring: false }
  const more = { searchDamaged: false, purging: false }
  await writeFile(files.state, JSON.stringify(Object.assign(state, more)).padEnd(512))
  return dataDir
}
