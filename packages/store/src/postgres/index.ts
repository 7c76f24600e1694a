export type { DoorbellOptions } from './connection/doorbell.ts'
export { createPostgresStore, type PostgresStore, type PostgresStoreOptions } from './create-store.ts'
export { lookAtPostgresStore, type PostgresLook, type PostgresReader } from './look-at-store.ts'
export { type PostgresRestore, restorePostgresStore } from './maintenance/restore.ts'
