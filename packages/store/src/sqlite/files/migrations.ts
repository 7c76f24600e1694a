import type { Database } from 'better-sqlite3'
import { SCHEMA_1, SCHEMA_2, SCHEMA_3, SCHEMA_4, SCHEMA_5 } from './schema.ts'

/** Marks a file as ours, in its header. The letters HFST. */
export const APPLICATION_ID = 0x48465354

/** Takes the tables from one version to the next; the one at index 0 makes version 1. Released ones are never edited. */
export type Migration = (database: Database) => void

/** All migrations, in their order. */
export const MIGRATIONS: readonly Migration[] = [
  (database) => database.exec(SCHEMA_1),
  (database) => database.exec(SCHEMA_2),
  (database) => database.exec(SCHEMA_3),
  (database) => database.exec(SCHEMA_4),
  (database) => database.exec(SCHEMA_5),
]

/** Brings the tables to the newest version, each step whole or not at all. */
export function migrate(database: Database, migrations: readonly Migration[]): void {
  let version = userVersion(database)
  for (const migration of migrations.slice(version)) {
    version += 1
    database.exec('BEGIN IMMEDIATE')
    try {
      migration(database)
      database.pragma(`application_id = ${APPLICATION_ID}`)
      database.pragma(`user_version = ${version}`)
      database.exec('COMMIT')
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK')
      throw error
    }
  }
}

/** The version of a file's tables; 0 for an empty file. */
export function userVersion(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }))
}

/** Which program made a file; 0 when none has said so. */
export function applicationId(database: Database): number {
  return Number(database.pragma('application_id', { simple: true }))
}
