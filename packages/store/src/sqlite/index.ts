export { createSqliteStore } from './create-sqlite-store.ts'
export type { SqliteStore, SqliteStoreOptions } from './open-sqlite-store.ts'
export { type RestoreOptions, restoreSqliteStore } from './restore-sqlite-store.ts'
