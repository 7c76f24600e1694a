import { statfsSync } from 'node:fs'
import { StoreReadError, StoreWriteError } from '@holdfast/conversation/stored'
import Database from 'better-sqlite3'
import type { StoreFiles } from './files.ts'

/** An error of SQLite, with its extended code. */
export type SqliteError = InstanceType<typeof Database.SqliteError>

/** Whether an error is SQLite's, with one of these codes or a finer one of the same family. */
export function isSqliteError(error: unknown, ...codes: readonly string[]): error is SqliteError {
  return (
    error instanceof Database.SqliteError &&
    codes.some((code) => error.code === code || error.code.startsWith(`${code}_`))
  )
}

/** Whether a read failed because what is on the disk is not what was written. */
export function isDamage(error: unknown): error is SqliteError {
  return isSqliteError(error, 'SQLITE_CORRUPT', 'SQLITE_NOTADB')
}

/** What SQLite's refusal of a write means to the caller; null for an error that is not the disk's or the lock's. [LOG8] */
export function toWriteError(error: unknown, files: StoreFiles): StoreWriteError | null {
  const refused = (code: StoreWriteError['code'], why: string) =>
    new StoreWriteError(code, `Nothing was written to ${files.database}: ${why}`, {
      cause: error,
      told: `Nothing was written: ${why}`,
    })
  if (isSqliteError(error, 'SQLITE_FULL') || (isSqliteError(error, 'SQLITE_IOERR') && isFull(files))) {
    return refused('disk-full', 'the disk is full. Free some space; writing goes on by itself.')
  }
  if (isSqliteError(error, 'SQLITE_READONLY', 'SQLITE_PERM', 'SQLITE_CANTOPEN')) {
    return refused('not-writable', `it cannot be written (${error.code}). Make the data folder writable.`)
  }
  if (isSqliteError(error, 'SQLITE_BUSY', 'SQLITE_LOCKED')) {
    return refused('busy', 'another process holds its lock. End that process; writing goes on by itself.')
  }
  if (isDamage(error)) {
    return refused(
      'disk-error',
      `it is damaged (${error.code}). Run the check, export what can be read, restore a backup.`,
    )
  }
  if (isSqliteError(error, 'SQLITE_IOERR', 'SQLITE_NOMEM')) {
    return refused('disk-error', `the disk reported an error (${error.code}). Check the disk.`)
  }
  return null
}

/** What SQLite's refusal of a read means to the caller; null for an error that is not the disk's or the lock's. [LOG7] */
export function toReadError(error: unknown, files: StoreFiles): StoreReadError | null {
  if (isDamage(error)) {
    const remedy = 'Run the check, export what can be read, restore a backup.'
    const told = `The database is damaged (${error.code}). ${remedy}`
    return new StoreReadError(`${files.database} is damaged (${error.code}). ${remedy}`, { cause: error, told })
  }
  if (
    isSqliteError(
      error,
      'SQLITE_IOERR',
      'SQLITE_BUSY',
      'SQLITE_CANTOPEN',
      'SQLITE_NOMEM',
      'SQLITE_FULL',
      'SQLITE_READONLY',
    )
  ) {
    const told = `The database could not be read (${error.code}).`
    return new StoreReadError(`${files.database} could not be read (${error.code}): ${error.message}`, {
      cause: error,
      told,
    })
  }
  return null
}

function isFull({ dataDir }: StoreFiles): boolean {
  const { bavail } = statfsSync(dataDir)
  return bavail === 0
}
