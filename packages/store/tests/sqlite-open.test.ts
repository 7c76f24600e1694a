import { chmod, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StoreOpenError } from '@holdfast/conversation'
import { checkSqliteStore, createSqliteStore, readSqliteRecords, restoreSqliteStore } from '@holdfast/store/sqlite'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { storeFiles } from '../src/sqlite/files/files.ts'
import { startChild } from './support/child-process.ts'
import { appendOf, newFolder, openForTest, readLog, stillClock, writeLog } from './support/sqlite-harness.ts'

const NOBODY = 65_534
const Kept = z.looseObject({})

/** Each file of a folder with what it holds. */
async function filesOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.lock'))
  const held = await Promise.all(
    names.map(async (name) => [name, (await readFile(join(folder, name))).toString('base64')] as const),
  )
  return Object.fromEntries(held)
}

describe('opening a SQLite store', () => {
  it('[LOG3] sets what durability rests on, and reads it back, on every connection', async () => {
    const { statistics, readerSettings } = await openForTest(await newFolder())
    const durable = {
      journal_mode: 'wal',
      synchronous: 2,
      foreign_keys: 1,
      secure_delete: 1,
      fullfsync: 1,
      checkpoint_fullfsync: 1,
    }
    expect((await statistics()).settings).toEqual(durable)
    expect(await readerSettings()).toEqual(durable)
  })

  it('[SEC1] makes a folder and files that only their owner can read', async () => {
    const dataDir = join(await newFolder(), 'made', 'data')
    await openForTest(dataDir)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    for (const file of ['holdfast.sqlite', 'holdfast.sqlite-wal', 'holdfast.state.json']) {
      expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600)
    }
  })

  it('[LOG8] leaves one database file when it is closed', async () => {
    const dataDir = await newFolder()
    const { store, close } = await openForTest(dataDir)
    await writeLog(store, 'a', 10)
    await close()
    expect((await readdir(dataDir)).sort()).toEqual(['holdfast.lock', 'holdfast.sqlite', 'holdfast.state.json'])
  })

  it('[LOG2] refuses a folder that another store of the same process has open', async () => {
    const dataDir = await newFolder()
    const { store, close } = await openForTest(dataDir)
    const refused = await openFailure(dataDir)
    expect(refused.code).toBe('locked')
    expect(refused.message).toContain(dataDir)
    expect(refused.message).toContain(`process ${process.pid}`)
    await writeLog(store, 'a', 3)
    await close()
    expect(await readLog((await openForTest(dataDir)).store, 'a')).toHaveLength(3)
  })

  it('[LOG2] refuses a folder that another process has open, and takes it at once when that was killed', async () => {
    const dataDir = await newFolder()
    const child = startChild('holding-store.ts', [dataDir])
    expect(await child.nextLine()).toBe('open')
    const refused = await openFailure(dataDir)
    expect(refused.code).toBe('locked')
    expect(refused.message).toContain(dataDir)
    expect(refused.message).toContain(`process ${child.process.pid}`)
    await child.kill()
    const { store } = await openForTest(dataDir)
    expect(await readLog(store, 'a')).toHaveLength(1)
  })

  it('[LOG6] refuses a store of a newer version and changes nothing', async () => {
    const dataDir = await storeWithLog()
    const { database, state } = storeFiles(dataDir)
    edit(database, (connection) => connection.pragma('user_version = 99'))
    // As another process left it, so that it is seen to be written anew.
    const left: unknown = JSON.parse(await readFile(state, 'utf8'))
    await writeFile(state, JSON.stringify({ ...Kept.parse(left), pid: 1 }))
    const before = await filesOf(dirname(database))
    const refused = await openFailure(dataDir)
    expect(refused.code).toBe('newer-version')
    expect(refused.message).toContain(database)
    expect(refused.message).toContain('Install a newer Holdfast')
    expect(await filesOf(dirname(database))).toEqual(before)
    // Nor is said of what it cannot read that all is well.
    const { signal } = new AbortController()
    await expect(checkSqliteStore({ dataDir, signal })).rejects.toMatchObject({ code: 'newer-version' })
    await expect(readSqliteRecords({ dataDir })).rejects.toMatchObject({ code: 'newer-version' })
    expect(await filesOf(dirname(database))).toEqual(before)
  })

  it('[LOG7] refuses a database of another program and changes nothing', async () => {
    const dataDir = await newFolder()
    const { database } = storeFiles(dataDir)
    edit(database, (connection) => connection.exec('CREATE TABLE other (a); INSERT INTO other VALUES (1)'))
    const before = await readFile(database)
    expect((await openFailure(dataDir)).code).toBe('not-a-store')
    expect((await readFile(database)).equals(before)).toBe(true)
  })

  it('[LOG7] refuses a file that is no database', async () => {
    const dataDir = await newFolder()
    await writeFile(storeFiles(dataDir).database, 'Dear diary, '.repeat(1_000))
    expect((await openFailure(dataDir)).code).toBe('not-a-store')
  })

  it('[LOG7] does not begin anew where the database is gone or empty', async () => {
    const gone = await storeWithLog()
    await rm(storeFiles(gone).database)
    expect((await openFailure(gone)).code).toBe('missing')
    expect(await readdir(gone)).not.toContain('holdfast.sqlite')
    const emptied = await storeWithLog()
    await truncate(storeFiles(emptied).database, 0)
    expect((await openFailure(emptied)).code).toBe('damaged')
    await rm(storeFiles(emptied).state)
    expect((await openFailure(emptied)).code).toBe('damaged')
  })

  it('[LOG7] says that the write-ahead file of a killed process is missing', async () => {
    const dataDir = await newFolder()
    const child = startChild('holding-store.ts', [dataDir])
    expect(await child.nextLine()).toBe('open')
    await child.kill()
    await rm(storeFiles(dataDir).wal)
    const refused = await openFailure(dataDir)
    expect(refused.code).toBe('damaged')
    expect(refused.message).toContain(storeFiles(dataDir).wal)
  })

  it('[LOG7] refuses a database whose tables are not as they were made', async () => {
    const dataDir = await storeWithLog()
    edit(storeFiles(dataDir).database, (connection) => connection.exec('DROP INDEX entries_found'))
    const refused = await openFailure(dataDir)
    expect(refused.code).toBe('damaged')
    expect(refused.message).toContain('entries_found')
  })

  it.runIf(process.getuid?.() === 0)('[LOG8] says that a folder cannot be written', async () => {
    const parent = await newFolder()
    await chmod(parent, 0o755)
    const whole = join(parent, 'whole')
    await (await createSqliteStore({ dataDir: whole, clock: stillClock })).close()
    for (const [path, mode] of [
      [whole, 0o755],
      [join(whole, 'holdfast.sqlite'), 0o644],
      [join(whole, 'holdfast.lock'), 0o644],
      [join(whole, 'holdfast.state.json'), 0o644],
    ] as const) {
      await chmod(path, mode)
    }
    await mkdir(join(parent, 'empty'), { mode: 0o755 })
    for (const dataDir of [whole, join(parent, 'empty'), join(parent, 'new')]) {
      const child = startChild('holding-store.ts', [dataDir], { uid: NOBODY, gid: NOBODY })
      expect(await child.nextLine()).toMatch(/^not-writable: .*[Mm]ake/)
    }
  })

  it('[LOG8] says that the data folder is a file', async () => {
    const dataDir = join(await newFolder(), 'file')
    await writeFile(dataDir, '')
    expect((await openFailure(dataDir)).code).toBe('not-writable')
  })

  it('[LOG8] refuses a network file system, where writes can be lost', async () => {
    const dataDir = await newFolder()
    for (const [type, name] of [
      [0x6969, 'NFS'],
      [0xff534d42, 'CIFS'],
      [0x01021997, '9p'],
      [0x00c36400, 'Ceph'],
      [0x5346414f, 'AFS'],
    ] as const) {
      const refused = await openFailure(dataDir, async () => type)
      expect(refused.code).toBe('network-file-system')
      expect(refused.message).toContain(name)
      expect(refused.message).toContain('PostgreSQL')
    }
    expect(await readdir(dataDir)).toEqual([])
    await openForTest(dataDir, { fileSystemType: async () => 0xef53 })
  })
})

describe('restoring a SQLite store', () => {
  it('[LOG11] replaces a store only when it is told to', async () => {
    const { backup, dataDir } = await storeAndBackup()
    const refused = restoreSqliteStore({ from: backup, dataDir, force: false })
    await expect(refused).rejects.toMatchObject({ name: 'StoreOpenError', code: 'exists' })
    const kept = await openForTest(dataDir)
    expect(await readLog(kept.store, 'a')).toHaveLength(6)
    await kept.close()
    await restoreSqliteStore({ from: backup, dataDir, force: true })
    const { store } = await openForTest(dataDir)
    expect(await readLog(store, 'a')).toHaveLength(5)
  })

  it('[LOG2] does not touch a store that is open', async () => {
    const { backup, dataDir } = await storeAndBackup()
    const { store } = await openForTest(dataDir)
    await expect(restoreSqliteStore({ from: backup, dataDir, force: true })).rejects.toMatchObject({ code: 'locked' })
    expect(await readLog(store, 'a')).toHaveLength(6)
  })

  it('[LOG7] refuses a backup that is damaged, missing or of another program, and keeps the store', async () => {
    const { backup, dataDir } = await storeAndBackup()
    const bytes = await readFile(backup)
    const at = bytes.indexOf('words 3')
    bytes[at] = (bytes[at] ?? 0) ^ 1
    const folder = await newFolder()
    await writeFile(join(folder, 'damaged'), bytes)
    await writeFile(join(folder, 'other'), 'Dear diary')
    for (const [from, code] of [
      ['damaged', 'damaged'],
      ['other', 'not-a-store'],
      ['missing', 'missing'],
    ] as const) {
      const refused = restoreSqliteStore({ from: join(folder, from), dataDir, force: true })
      await expect(refused).rejects.toMatchObject({ name: 'StoreOpenError', code })
    }
    expect(await readLog((await openForTest(dataDir)).store, 'a')).toHaveLength(6)
  })

  it('[LOG11] finishes at the next start what broke off after the copy was checked', async () => {
    const { backup, dataDir } = await storeAndBackup()
    const files = storeFiles(dataDir)
    await writeFile(files.restored, await readFile(backup))
    await writeFile(files.wal, 'what is left of the old store')
    const state = JSON.parse(await readFile(files.state, 'utf8'))
    await writeFile(files.state, JSON.stringify({ ...state, restoring: true }).padEnd(512))
    const { store } = await openForTest(dataDir)
    expect(await readLog(store, 'a')).toHaveLength(5)
  })
})

async function openFailure(dataDir: string, fileSystemType?: () => Promise<number>): Promise<StoreOpenError> {
  const outcome = await createSqliteStore({
    dataDir,
    clock: stillClock,
    ...(fileSystemType ? { fileSystemType } : {}),
  }).then(
    ({ close }) => close(),
    (error: unknown) => error,
  )
  if (outcome instanceof StoreOpenError) return outcome
  throw outcome ?? new Error('It was expected to be refused, and opened')
}

async function storeWithLog(): Promise<string> {
  const dataDir = await newFolder()
  const { store, close } = await openForTest(dataDir)
  await writeLog(store, 'a', 5)
  await close()
  return dataDir
}

/** A closed store with a log of six entries, and a backup from when it had five. */
async function storeAndBackup(): Promise<{ dataDir: string; backup: string }> {
  const dataDir = await newFolder()
  const backup = join(await newFolder(), 'backup.sqlite')
  const { store, close } = await openForTest(dataDir)
  await writeLog(store, 'a', 5)
  await store.backup(backup, new AbortController().signal)
  await store.append(appendOf('a', 5))
  await close()
  return { dataDir, backup }
}

function edit(file: string, change: (connection: Database.Database) => unknown): void {
  const connection = new Database(file)
  try {
    change(connection)
  } finally {
    connection.close()
  }
}
