import type { Migration } from '../../src/sqlite/files/migrations.ts'

/** A migration that there may be one day: it adds a table and a column, and fills both. */
export const SECOND_MIGRATION_STATEMENTS: readonly string[] = [
  'CREATE TABLE planted (conversation_id TEXT PRIMARY KEY, entry_count INTEGER NOT NULL) STRICT',
  'ALTER TABLE entries ADD COLUMN planted INTEGER NOT NULL DEFAULT 0',
  'UPDATE entries SET planted = length(body)',
  'INSERT INTO planted SELECT conversation_id, head FROM conversations',
]

/** The migration as a whole. */
export const secondMigration: Migration = (database) => {
  for (const statement of SECOND_MIGRATION_STATEMENTS) database.exec(statement)
}
