import { StoreReadError } from '@holdfast/conversation/stored'
import type { Database } from 'better-sqlite3'
import type { ChangeRow, Operations, ReadSignatures, RecordRow } from '../messages/operations.ts'
import { recordChecksum } from '../tables/record-table.ts'

const COLUMNS = 'owner_id AS ownerId, id, revision, change, updated_at AS updatedAt, checksum, value'

/** The records' part of the reading thread. */
export function createRecordReader(
  database: Database,
): Pick<Operations<ReadSignatures>, 'getRecord' | 'listRecords' | 'recordChanges'> {
  const one = database.prepare<[string, string, string], RecordRow>(
    `SELECT ${COLUMNS} FROM records WHERE kind = ? AND owner_id = ? AND id = ?`,
  )
  const first = database.prepare<[string, string, number], RecordRow>(
    `SELECT ${COLUMNS} FROM records WHERE kind = ? AND owner_id = ? ORDER BY id LIMIT ?`,
  )
  const after = database.prepare<[string, string, string, number], RecordRow>(
    `SELECT ${COLUMNS} FROM records WHERE kind = ? AND owner_id = ? AND id > ? ORDER BY id LIMIT ?`,
  )
  const changes = database.prepare<[number, number], ChangeRow>(
    'SELECT change, kind, owner_id AS ownerId, id, deleted FROM record_changes WHERE change > ? ORDER BY change LIMIT ?',
  )
  const intact = (kind: string, row: RecordRow): RecordRow => {
    if (row.checksum === recordChecksum(kind, row)) return row
    throw new StoreReadError(
      `${kind} ${row.id} is damaged: it is not what was written. Restore a backup to get it back.`,
    )
  }
  return {
    getRecord({ kind, ownerId, id }) {
      const row = one.get(kind, ownerId, id)
      return row ? intact(kind, row) : null
    },
    listRecords({ kind, ownerId, afterId, limit }) {
      const rows = afterId === null ? first.all(kind, ownerId, limit) : after.all(kind, ownerId, afterId, limit)
      return rows.map((row) => intact(kind, row))
    },
    recordChanges: ({ after: place, limit }) => changes.all(place, limit),
  }
}
