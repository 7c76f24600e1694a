import { StoreOpenError } from '@holdfast/conversation/stored'
import Database from 'better-sqlite3'
import type { StoreFiles } from './files.ts'
import { readFolderState } from './folder-state.ts'
import { isSqliteError } from './sqlite-errors.ts'

/** The right to be the one process that has a data folder open. Closing it gives it back; so does the process's end. */
export interface FolderLock {
  close(): void
}

/**
 * Takes the lock of a data folder.
 *
 * It is the operating system's lock on a file, held through SQLite: a process that is killed loses it, so
 * that there is no stale lock to recognise, and a second store in the same process meets it too.
 *
 * @throws {StoreOpenError} `locked` when a process has it.
 */
export function lockFolder(files: StoreFiles): FolderLock {
  const lock = holdFile(files.lock)
  if (lock) return lock
  const { pid } = readFolderState(files)
  throw new StoreOpenError(
    'locked',
    `The data folder ${files.dataDir} is in use by process ${pid}. Stop that process, or start this one with another data folder.`,
  )
}

/** Takes such a lock by itself, in a file that has nothing else; null where a process has it. */
export function holdFile(path: string): FolderLock | null {
  const database = new Database(path, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return { close: () => database.close() }
  } catch (error) {
    database.close()
    if (!isSqliteError(error, 'SQLITE_BUSY')) throw error
    return null
  }
}
