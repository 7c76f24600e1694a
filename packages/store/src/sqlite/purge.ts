import type { Database } from 'better-sqlite3'
import type { StoreFiles } from './files.ts'
import { changeFolderState } from './folder-state.ts'
import type { SearchTable } from './search-table.ts'
import { isSqliteError } from './sqlite-errors.ts'

/** Drives what was erased out of the files: out of the search index's old parts, then out of the write-ahead file. [LOG9] */
export interface Purge {
  /** Makes sure that a crash between an erasure and its purge leaves the purge to the next start. */
  announce(): void
  /** Calls `done` when nothing of what is erased by now is left in the files. Others write in between. */
  request(done: () => void): void
  /** Does at once what is left. */
  finish(): void
}

/** The purge of the writing thread. */
export function createPurge(database: Database, files: StoreFiles, search: SearchTable): Purge {
  let waiting: (() => void)[] = []
  let isDue = false

  const end = (): void => {
    emptyWriteAheadFile(database)
    changeFolderState(files, { purging: false })
    isDue = false
    const done = waiting
    waiting = []
    for (const one of done) one()
  }

  const step = (): void => {
    if (!isDue) return
    if (purgeSome(search)) setImmediate(step)
    else end()
  }

  return {
    announce() {
      if (!isDue) changeFolderState(files, { purging: true })
    },
    request(done) {
      waiting.push(done)
      if (isDue) return
      isDue = true
      setImmediate(step)
    },
    finish() {
      if (!isDue) return
      while (purgeSome(search)) {
        // Each round does a part.
      }
      end()
    },
  }
}

/** Returns whether there is more to do. A disk that refuses leaves the rest to the next start. */
function purgeSome(search: SearchTable): boolean {
  try {
    return search.purgeSome()
  } catch (error) {
    if (isSqliteError(error, 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_BUSY', 'SQLITE_CORRUPT', 'SQLITE_READONLY'))
      return false
    throw error
  }
}

/** A long reader, such as a backup, keeps the file as it is; then it is emptied when the store is closed. */
function emptyWriteAheadFile(database: Database): void {
  const timeout = database.pragma('busy_timeout', { simple: true })
  database.pragma('busy_timeout = 20')
  try {
    database.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    if (!isSqliteError(error, 'SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_FULL', 'SQLITE_IOERR')) throw error
  } finally {
    database.pragma(`busy_timeout = ${Number(timeout)}`)
  }
}
