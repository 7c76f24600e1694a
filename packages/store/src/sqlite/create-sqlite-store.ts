import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './open-sqlite-store.ts'

/**
 * Opens the store of a folder, and makes it when there is none.
 *
 * One thread writes and commits in groups, another reads: SQLite never runs on the caller's thread.
 *
 * @throws {StoreOpenError} with the file and the remedy. Nothing was changed.
 */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const { store, records, close } = await openSqliteStore(options)
  return { store, records, close }
}
