import type { Database } from 'better-sqlite3'

/**
 * Reads one state of the database, whatever is written meanwhile. It ends by rolling back: there is nothing
 * to commit, and in a damaged file a commit may fail though all that was wanted could be read.
 */
export function readOneState<Value>(database: Database, read: () => Value): Value {
  database.exec('BEGIN')
  try {
    return read()
  } finally {
    if (database.inTransaction) database.exec('ROLLBACK')
  }
}
