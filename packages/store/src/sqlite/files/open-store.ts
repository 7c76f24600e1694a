import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { StoreOpenError } from '@holdfast/conversation/stored'
import Database from 'better-sqlite3'
import { type ConnectionOptions, openForWriting } from './connection.ts'
import { FAILED, isFileError, REFUSED } from './file-errors.ts'
import type { StoreFiles } from './files.ts'
import { type FolderState, readFolderState, writeFolderState } from './folder-state.ts'
import { APPLICATION_ID, applicationId, type Migration, migrate, userVersion } from './migrations.ts'
import { beginsAsDatabase, refuseNewer, refuseNewerFile } from './newer-store.ts'
import { damagedSchema } from './schema-check.ts'
import { isDamage, isSqliteError } from './sqlite-errors.ts'
import { endWriteAhead, openWriteAhead, readGeneration, type WriteAhead } from './write-ahead.ts'

const RESTORE = 'Restore a backup, or export what can be read.'

/**
 * Opens the database of a folder whose lock is held, makes it when there is none, and brings its tables up
 * to date. Nothing is written before all that can be refused has been looked at.
 *
 * @throws {StoreOpenError} with the file and the remedy.
 */
export function openStore(
  files: StoreFiles,
  options: ConnectionOptions & { readonly now: number },
  migrations: readonly Migration[],
): OpenDatabase {
  const state = readFolderState(files)
  requireNoMove(files, state)
  requireNothingLost(files, state)
  const opening: FolderState = {
    pid: process.pid,
    openedAt: options.now,
    established: state.established,
    open: state.open,
    restoring: state.restoring,
    searchDamaged: state.searchDamaged,
    purging: state.purging,
    generation: state.generation,
    movingFrom: state.movingFrom,
  }
  // Before anything is opened: whoever looks leaves an empty one.
  const hasWal = existsSync(files.wal) && statSync(files.wal).size > 0
  const isThere = existsSync(files.database) && statSync(files.database).size > 0
  // What is not ours, or newer, is refused before anything is written.
  if (isThere) requireStillOurs(files, { newestVersion: migrations.length, state })
  writeFolderState(files, opening)
  if (!existsSync(files.database)) closeSync(openSync(files.database, 'wx', 0o600))
  if (isThere && state.open) requireNewest(files, { state, hasWal })
  const database = openForWriting(files, options)
  try {
    if (userVersion(database) > 0 && userVersion(database) < migrations.length)
      requireIntact(files, database, 'It is not brought to a newer version like this')
    migrate(database, migrations)
    const damage = damagedSchema(database, migrations)
    if (damage !== null) throw damaged(files.database, damage)
    return { database, writeAhead: openWriteAhead(database, files, opening) }
  } catch (error) {
    database.close()
    throw error
  }
}

/** The connection that writes, and its write-ahead file. */
export interface OpenDatabase {
  readonly database: Database.Database
  readonly writeAhead: WriteAhead
}

/** Closes the database. */
export function closeStore(database: Database.Database, files: StoreFiles): void {
  try {
    endWriteAhead(database, files)
  } finally {
    database.close()
  }
}

/** What was begun to be moved here is somewhere else still, and whole. [CLI14] */
function requireNoMove(files: StoreFiles, { movingFrom }: FolderState): void {
  if (movingFrom === null) return
  throw new StoreOpenError(
    'incomplete',
    `${files.dataDir}: a move from ${movingFrom} has not ended. Run it again, or delete ${files.state} to begin with nothing.`,
  )
}

/** An empty or missing file where there was a store is a loss, and must not become a new store. [LOG7] */
function requireNothingLost(files: StoreFiles, state: FolderState): void {
  const size = existsSync(files.database) ? statSync(files.database).size : null
  if (state.established && size === null) {
    throw new StoreOpenError(
      'missing',
      `${files.database} is gone, but this folder had a store. Put the file back or restore a backup; to begin anew, delete ${files.state}.`,
    )
  }
  if (size === 0 && (state.established || !existsSync(files.state))) {
    throw new StoreOpenError(
      'damaged',
      `${files.database} is empty. Put the file back or restore a backup; to begin anew, delete it and ${files.state}.`,
    )
  }
}

/**
 * What was acknowledged must be in the database and the write-ahead file as they stand now: see `WriteAhead`. A state of an
 * older Holdfast has no generation, and only says that the file must be there.
 */
function requireNewest(
  files: StoreFiles,
  { state, hasWal }: { readonly state: FolderState; readonly hasWal: boolean },
): void {
  const database = new Database(files.database, { readonly: true, fileMustExist: true })
  try {
    const isNewest = state.generation === null ? hasWal : readGeneration(database) >= state.generation
    if (isNewest && !hasWal) requireIntact(files, database, 'Its write-ahead file is missing')
    if (isNewest) return
  } finally {
    database.close()
  }
  throw new StoreOpenError(
    'damaged',
    `${files.wal} is ${hasWal ? 'not the newest' : 'missing'}, and with it what was written last before the end of process ${state.pid} is lost. Put it back or restore a backup; to go on without what is lost, delete ${files.wal} and ${files.state}.`,
  )
}

/** What is not ours where there was a store of ours is damage. */
function requireStillOurs(
  files: StoreFiles,
  { newestVersion, state }: { readonly newestVersion: number; readonly state: FolderState },
): void {
  try {
    requireOurs(files.database, newestVersion)
  } catch (error) {
    const isOther = error instanceof StoreOpenError && error.code === 'not-a-store'
    throw isOther && state.established ? damaged(files.database, 'its header is not what was written', error) : error
  }
}

/**
 * Looks at a file without changing it.
 *
 * @throws {StoreOpenError} when it is not a database of ours, or of a newer Holdfast.
 */
export function requireOurs(file: string, newestVersion: number): void {
  if (!beginsAsDatabase(file)) {
    throw new StoreOpenError('not-a-store', `${file} is not a database. ${RESTORE} Or start with another data folder.`)
  }
  refuseNewerFile(file, newestVersion)
  const database = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const id = applicationId(database)
    const version = userVersion(database)
    const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
    if (id !== APPLICATION_ID && !(id === 0 && isEmpty)) {
      throw new StoreOpenError(
        'not-a-store',
        `${file} is a database of another program. Start with another data folder.`,
      )
    }
    refuseNewer(file, { version, newestVersion })
    if (version === 0 && !isEmpty) throw damaged(file, 'its header does not say of which version it is')
  } finally {
    database.close()
  }
}

function requireIntact(files: StoreFiles, database: Database.Database, why: string): void {
  const found = database.pragma('integrity_check(1)', { simple: true })
  if (found !== 'ok') throw damaged(files.database, `${String(found)}. ${why}`)
}

/** The error of a file that is not as it was written. */
export function damaged(file: string, what: string, cause?: unknown): StoreOpenError {
  return new StoreOpenError('damaged', `${file} is damaged: ${what}. ${RESTORE}`, { cause })
}

/** What the refusal of a file means to whoever wants to open the store; other errors as they are. */
export function toOpenError(error: unknown, files: StoreFiles): unknown {
  if (isDamage(error)) return damaged(files.database, error.message, error)
  if (isSqliteError(error, 'SQLITE_BUSY', 'SQLITE_LOCKED')) {
    return new StoreOpenError('locked', `Another process holds the lock of ${files.database}. End that process.`, {
      cause: error,
    })
  }
  if (
    isSqliteError(error, 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PERM', 'SQLITE_FULL', 'SQLITE_IOERR') ||
    isFileError(error, ...REFUSED, ...FAILED)
  ) {
    return new StoreOpenError(
      'not-writable',
      `${files.dataDir} cannot be written (${error.code}). Make it writable, free some space, or start with another data folder.`,
      { cause: error },
    )
  }
  // A flipped byte in the text of the schema or in the version makes statements that fail.
  if (isSqliteError(error, 'SQLITE_ERROR')) return damaged(files.database, error.message, error)
  return error
}
