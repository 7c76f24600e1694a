import { StoreReadError } from '@holdfast/conversation/stored'
import type { Database } from 'better-sqlite3'
import { isSqliteError } from '../files/sqlite-errors.ts'
import type { FoundRow, Operations, ReadSignatures } from '../messages/operations.ts'

/** The search's part of the reading thread. */
export function createSearchReader(database: Database): Pick<Operations<ReadSignatures>, 'search'> {
  const matching = database
    .prepare<[string, number], { foundId: bigint }>(
      'SELECT rowid AS foundId FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ?',
    )
    .safeIntegers(true)
  const found = database.prepare<[bigint], FoundRow>(
    `SELECT seq, entries.checksum, body, conversation_id AS conversationId, shown
     FROM entries JOIN conversations USING (conversation_key) WHERE found_id = ?`,
  )
  return {
    search({ match, limit }) {
      try {
        return matching.all(match, limit).flatMap(({ foundId }) => found.get(foundId) ?? [])
      } catch (error) {
        if (!isSqliteError(error, 'SQLITE_CORRUPT')) throw error
        throw new StoreReadError('The search index is damaged. It is made anew at the next start.', { cause: error })
      }
    },
  }
}
