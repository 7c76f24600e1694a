import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { StoreOpenError } from '@holdfast/conversation'
import Database from 'better-sqlite3'
import { type Bucket, type BucketOptions, createBucket } from '../../bucket/bucket.ts'
import type { PortableSource, PortableTarget } from '../../shared/portable-rows.ts'
import { fileSystemTypeOf, requireLocalFolder } from '../files/file-system-kind.ts'
import { type StoreFiles, storeFiles } from '../files/files.ts'
import { lockFolder } from '../files/folder-lock.ts'
import { changeFolderState, readFolderState, syncFolder, syncOwnFile } from '../files/folder-state.ts'
import { makeFolder } from '../files/make-folder.ts'
import { MIGRATIONS, migrate, userVersion } from '../files/migrations.ts'
import { closeStore, openStore, requireOurs, toOpenError } from '../files/open-store.ts'
import { finishRestore } from '../files/restored-copy.ts'
import { createPortableSource } from './portable-source.ts'
import { createPortableTarget } from './portable-target.ts'

/** What of the source's name the state file has room for. */
const MOST_OF_NAME = 60

const OPTIONS = { busyTimeoutMs: 5_000, maxPages: null }

/**
 * Reads the store of a folder as it is; nobody else opens it meanwhile.
 *
 * @throws {StoreOpenError} when there is none, it is in use, or it cannot be read by this version.
 */
export async function withFolderSource<Value>(
  {
    dataDir,
    bucket: options,
    now,
  }: { readonly dataDir: string; readonly bucket?: BucketOptions; readonly now: number },
  use: (source: PortableSource) => Promise<Value>,
): Promise<Value> {
  const files = storeFiles(resolve(dataDir))
  if (!existsSync(files.database))
    throw new StoreOpenError(
      'missing',
      `There is no store in ${files.dataDir}. Name the folder that Holdfast was started with`,
    )
  return inLock(files, async () => {
    requireNewestVersion(files)
    takeInWhatWasLeft(files, now)
    const bucket: Bucket | null = options === undefined ? null : createBucket(options)
    const database = openStill(files)
    try {
      return await use(createPortableSource(database, bucket))
    } finally {
      database.close()
    }
  })
}

/**
 * Fills the store of a folder that has none. Until `fill` is done the folder says that a move into it has not ended, and no
 * start makes a store there; the next move begins anew.
 *
 * @throws {StoreOpenError} when the folder has a store or is in use.
 */
export async function fillFolder(
  { dataDir, from }: { readonly dataDir: string; readonly from: string },
  fill: (target: PortableTarget) => Promise<void>,
): Promise<void> {
  const files = storeFiles(resolve(dataDir))
  await makeFolder(files.dataDir)
  await requireLocalFolder(files.dataDir, fileSystemTypeOf)
  await inLock(files, async () => {
    if (existsSync(files.database) && statSync(files.database).size > 0)
      throw new StoreOpenError('exists', `${files.dataDir} holds a store already, and nothing was changed`)
    changeFolderState(files, { movingFrom: from.slice(0, MOST_OF_NAME) })
    rmSync(files.restored, { force: true })
    closeSync(openSync(files.restored, 'wx', 0o600))
    await fillFile(files.restored, fill)
    syncOwnFile(files.restored)
    syncFolder(files.dataDir)
    changeFolderState(files, { restoring: true, movingFrom: null })
    finishRestore(files)
  })
}

/** Nobody opens the file before it is whole, so that it need not be whole at any moment before. */
async function fillFile(file: string, fill: (target: PortableTarget) => Promise<void>): Promise<void> {
  const database = new Database(file)
  try {
    database.pragma('journal_mode = MEMORY')
    database.pragma('synchronous = OFF')
    migrate(database, MIGRATIONS)
    database.exec('BEGIN')
    await fill(createPortableTarget(database))
    database.exec('COMMIT')
    database.pragma('journal_mode = DELETE')
  } finally {
    database.close()
  }
}

/** A connection on which nothing depends but what it reads: the lock is held, and a restored store may not have been started. */
function openStill(files: StoreFiles): Database.Database {
  return new Database(files.database, { readonly: true, fileMustExist: true })
}

/** After a process that was killed, as a start does it: what is lost is not passed over. What was closed stays untouched. */
function takeInWhatWasLeft(files: StoreFiles, now: number): void {
  const { open, restoring, movingFrom } = readFolderState(files)
  if (!open && !restoring && movingFrom === null) return
  const { database } = openStore(files, { ...OPTIONS, now }, MIGRATIONS)
  closeStore(database, files)
}

/** The source stays as it is: it is brought to no other version here. */
function requireNewestVersion(files: StoreFiles): void {
  requireOurs(files.database, MIGRATIONS.length)
  const database = openStill(files)
  try {
    if (userVersion(database) === MIGRATIONS.length) return
  } finally {
    database.close()
  }
  throw new StoreOpenError(
    'older-version',
    `${files.database} is of an older Holdfast. Start it once with this one, and stop it`,
  )
}

async function inLock<Value>(files: StoreFiles, work: () => Promise<Value>): Promise<Value> {
  try {
    const lock = lockFolder(files)
    try {
      return await work()
    } finally {
      lock.close()
    }
  } catch (error) {
    throw toOpenError(error, files)
  }
}
