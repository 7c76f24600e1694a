import Database from 'better-sqlite3'
import { type Migration, migrate } from './migrations.ts'

const OBJECTS =
  "SELECT type || ' ' || name AS name, tbl_name || ' ' || coalesce(sql, '') AS text FROM sqlite_schema ORDER BY name"

/** What of the tables is not as the migrations make it, in words; null when all is there. Others may be there too. */
export function damagedSchema(database: Database.Database, migrations: readonly Migration[]): string | null {
  const model = new Database(':memory:')
  try {
    migrate(model, migrations)
    const found = objects(database)
    for (const [name, text] of objects(model)) {
      if (found.get(name) !== text) return `${name} is not as it was made`
    }
    return null
  } finally {
    model.close()
  }
}

function objects(database: Database.Database): Map<string, string> {
  const rows = database.prepare<[], { name: string; text: string }>(OBJECTS).all()
  return new Map(rows.map(({ name, text }) => [name, text]))
}
