export { createSqliteStore, type SqliteStore, type SqliteStoreOptions } from './create-sqlite-store.ts'
export { type RestoreOptions, restoreSqliteStore } from './restore-sqlite-store.ts'
