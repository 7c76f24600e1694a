export { createSqliteStore } from './create-sqlite-store.ts'
export { holdFile } from './files/folder-lock.ts'
export { type SqliteStoreSize, sqliteStoreSize } from './files/store-size.ts'
export {
  backupSqliteStore,
  checkSqliteStore,
  copySqliteDatabase,
  type RecordsLook,
  readSqliteRecords,
  type StoreLook,
} from './look-at-store.ts'
export type { SqliteStore, SqliteStoreOptions } from './open-sqlite-store.ts'
export { type RestoreOptions, restoreSqliteStore } from './restore-sqlite-store.ts'
