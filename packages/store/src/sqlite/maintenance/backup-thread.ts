import { closeSync, existsSync, linkSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { StoreWriteError } from '@holdfast/conversation'
import Database from 'better-sqlite3'
import { openForReading } from '../files/connection.ts'
import { isFileError, REFUSED } from '../files/file-errors.ts'
import type { StoreFiles } from '../files/files.ts'
import { syncFolder, syncOwnFile } from '../files/folder-state.ts'
import { isSqliteError } from '../files/sqlite-errors.ts'
import type { MaintenanceSignatures } from '../messages/operations.ts'
import type { ThreadOptions } from '../messages/thread-messages.ts'
import { runMaintenance } from './maintenance-thread.ts'
import { takeFromBucket } from './take-from-bucket.ts'

/** Pages that are copied between two looks at the signal. */
const PAGES_AT_ONCE = 1_000

/** Runs the thread of one backup. */
export function runBackupThread(port: MessagePort, files: StoreFiles, options: ThreadOptions): void {
  runMaintenance<MaintenanceSignatures['backup']['args']>(port, files, async ({ file, withBucket }, signal) => {
    const partial = `${file}.partial`
    try {
      if (existsSync(file)) throw exists(file)
      // Made here, so that nobody else ever reads it.
      closeSync(openSync(partial, 'wx', 0o600))
      try {
        await copyDatabase(files, options, { partial, signal })
        await finishCopy(partial, async (copy) => {
          if (withBucket) await takeFromBucket(copy, { bucket: options.bucket ?? null, signal })
        })
        signal.throwIfAborted()
        // Unlike a rename, a link never replaces a file that came to be meanwhile.
        linkSync(partial, file)
      } finally {
        for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${ending}`, { force: true })
      }
      syncFolder(dirname(file))
      return null
    } catch (error) {
      throw toBackupError(error, file)
    }
  })
}

/** Copies one state of the database: a read transaction keeps it still while others write. */
async function copyDatabase(
  files: StoreFiles,
  options: ThreadOptions,
  { partial, signal }: { readonly partial: string; readonly signal: AbortSignal },
): Promise<void> {
  const database = openForReading(files, options)
  try {
    database.exec('BEGIN')
    database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get()
    await database.backup(partial, {
      progress() {
        signal.throwIfAborted()
        return PAGES_AT_ONCE
      },
    })
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}

/** The copy says of itself that it has a write-ahead file; it is to be one file that needs no other. */
async function finishCopy(partial: string, fill: (copy: Database.Database) => Promise<void>): Promise<void> {
  const copy = new Database(partial)
  try {
    copy.pragma('journal_mode = DELETE')
    await fill(copy)
  } finally {
    copy.close()
  }
  syncOwnFile(partial)
}

function exists(file: string): StoreWriteError {
  return new StoreWriteError('not-writable', `There is a file ${file} already. Name one that does not exist.`)
}

function toBackupError(error: unknown, file: string): unknown {
  if (isFileError(error, 'EEXIST')) return exists(file)
  if (isFileError(error, 'ENOSPC') || isSqliteError(error, 'SQLITE_FULL')) {
    return new StoreWriteError('disk-full', `No backup was written to ${file}: the disk is full. Free some space.`, {
      cause: error,
    })
  }
  if (
    isFileError(error, ...REFUSED, 'ENOENT', 'ENOTDIR') ||
    isSqliteError(error, 'SQLITE_CANTOPEN', 'SQLITE_READONLY')
  ) {
    return new StoreWriteError(
      'not-writable',
      `No backup was written to ${file}: its folder is missing or cannot be written.`,
      { cause: error },
    )
  }
  if (isFileError(error, 'EIO') || isSqliteError(error, 'SQLITE_IOERR')) {
    return new StoreWriteError(
      'disk-error',
      `No backup was written to ${file}: the disk reported an error (${error.code}).`,
      { cause: error },
    )
  }
  return error
}
