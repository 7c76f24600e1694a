import type { Database } from 'better-sqlite3'
import type { StoreFiles } from '../files/files.ts'
import { changeFolderState } from '../files/folder-state.ts'
import { isSqliteError } from '../files/sqlite-errors.ts'
import type { WriteAhead } from '../files/write-ahead.ts'
import type { SearchTable } from '../tables/search-table.ts'

/** Drives what was erased out of the files: out of the search index's old parts, then out of the write-ahead file. [LOG9] */
export interface Purge {
  /** Makes sure that a crash between an erasure and its purge leaves the purge to the next start. */
  announce(): void
  /** Calls `done` when nothing of what is erased by now is left in the files. Others write in between. */
  request(done: () => void): void
  /** Does at once what is left. */
  finish(): void
}

/** What a purge needs. */
export interface PurgeDeps {
  readonly database: Database
  readonly files: StoreFiles
  readonly search: SearchTable
  readonly writeAhead: WriteAhead
}

/** The purge of the writing thread. */
export function createPurge(deps: PurgeDeps): Purge {
  const { files, search, writeAhead } = deps
  let waiting: (() => void)[] = []
  let isDue = false

  const end = (): void => {
    emptyWriteAheadFile(deps)
    changeFolderState(files, { purging: false })
    isDue = false
    const done = waiting
    waiting = []
    for (const one of done) one()
  }

  const step = (): void => {
    if (!isDue) return
    const isMore = purgeSome(search)
    writeAhead.afterCommit()
    if (isMore) setImmediate(step)
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
function emptyWriteAheadFile({ database, writeAhead }: PurgeDeps): void {
  const timeout = database.pragma('busy_timeout', { simple: true })
  database.pragma('busy_timeout = 20')
  try {
    writeAhead.empty()
  } finally {
    database.pragma(`busy_timeout = ${Number(timeout)}`)
  }
}
