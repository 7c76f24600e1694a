export { createPostgresStore, type PostgresStore, type PostgresStoreOptions } from './create-store.ts'
export { type PostgresRestore, restorePostgresStore } from './restore.ts'
