import type { Database } from 'better-sqlite3'
import { rowChecksum } from '../../shared/checksum.ts'
import { Refusal } from '../messages/failures.ts'
import type { RecordCall, RecordRow } from '../messages/operations.ts'

/** The records and their feed of changes, for the thread that writes. */
export interface RecordTable {
  /** Refuses where a record is not at the revision of the call; it writes nothing. */
  requireRevision(call: RecordCall): void
  put(call: RecordCall & { readonly value: string; readonly at: number }): {
    readonly revision: number
    readonly change: number
  }
  remove(call: RecordCall): void
}

/** The tables of a connection. */
export function createRecordTable(database: Database): RecordTable {
  const find = database.prepare<[string, string, string], { revision: number }>(
    'SELECT revision FROM records WHERE kind = ? AND owner_id = ? AND id = ?',
  )
  const forgetChange = database.prepare<[string, string, string]>(
    'DELETE FROM record_changes WHERE kind = ? AND owner_id = ? AND id = ?',
  )
  const addChange = database.prepare<[string, string, string, number]>(
    'INSERT INTO record_changes (kind, owner_id, id, deleted) VALUES (?, ?, ?, ?)',
  )
  const put = database.prepare<[string, string, string, number, number, number, number, string]>(
    `INSERT INTO records (kind, owner_id, id, revision, change, updated_at, checksum, value) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (kind, owner_id, id) DO UPDATE SET revision = excluded.revision, change = excluded.change,
       updated_at = excluded.updated_at, checksum = excluded.checksum, value = excluded.value`,
  )
  const remove = database.prepare<[string, string, string]>(
    'DELETE FROM records WHERE kind = ? AND owner_id = ? AND id = ?',
  )

  const requireRevision = ({ kind, ownerId, id, revision }: RecordCall): void => {
    const currentRevision = find.get(kind, ownerId, id)?.revision ?? 0
    if (currentRevision !== revision)
      throw new Refusal({ type: 'revision-conflict', kind, id, revision, currentRevision })
  }
  /** A record stands in the feed once, at its last change; the numbers only grow. */
  const change = ({ kind, ownerId, id }: RecordCall, deleted: boolean): number => {
    forgetChange.run(kind, ownerId, id)
    return Number(addChange.run(kind, ownerId, id, deleted ? 1 : 0).lastInsertRowid)
  }
  return {
    requireRevision,
    put(call) {
      requireRevision(call)
      const revision = call.revision + 1
      const { kind, ownerId, id, value } = call
      const row = { ownerId, id, revision, change: change(call, false), updatedAt: call.at, value }
      put.run(kind, ownerId, id, revision, row.change, row.updatedAt, recordChecksum(kind, row), value)
      return { revision, change: row.change }
    },
    remove(call) {
      requireRevision(call)
      remove.run(call.kind, call.ownerId, call.id)
      change(call, true)
    },
  }
}

/** The checksum of all that a record's row says. */
export function recordChecksum(kind: string, row: Omit<RecordRow, 'checksum'>): number {
  return rowChecksum([kind, row.ownerId, row.id, row.revision, row.change, row.updatedAt, row.value])
}
