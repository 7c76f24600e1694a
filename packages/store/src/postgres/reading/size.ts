import type { Database } from '../connection/database.ts'

/** How large the whole database is, in bytes; other tables in it count too. */
export async function readSize(database: Database): Promise<number> {
  const rows = await database.read((sql) =>
    sql<{ sizeBytes: number }>('SELECT pg_database_size(current_database()) AS "sizeBytes"', []),
  )
  return rows[0]?.sizeBytes ?? 0
}
