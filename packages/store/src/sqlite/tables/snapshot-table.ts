import type { Database } from 'better-sqlite3'
import { rowChecksum } from '../../shared/checksum.ts'
import type { SnapshotRow } from '../messages/operations.ts'

/** The snapshots, one for each projection of a conversation. */
export interface SnapshotTable {
  /** Replaces those that have no later cursor in the store. */
  write(conversationId: string, rows: readonly SnapshotRow[]): void
  dropAll(conversationId: string): void
}

/** The table of a connection. */
export function createSnapshotTable(database: Database): SnapshotTable {
  const write = database.prepare<[string, string, number, number, number, string]>(
    `INSERT INTO snapshots (conversation_id, projection, version, cursor, checksum, state) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (conversation_id, projection) DO UPDATE SET version = excluded.version, cursor = excluded.cursor,
       checksum = excluded.checksum, state = excluded.state
     WHERE excluded.cursor >= snapshots.cursor`,
  )
  const dropAll = database.prepare<[string]>('DELETE FROM snapshots WHERE conversation_id = ?')
  return {
    write(conversationId, rows) {
      for (const row of rows) {
        const { projection, version, cursor, state } = row
        write.run(conversationId, projection, version, cursor, snapshotChecksum(conversationId, row), state)
      }
    },
    dropAll: (conversationId) => {
      dropAll.run(conversationId)
    },
  }
}

/** The checksum of all that a snapshot's row says. */
export function snapshotChecksum(conversationId: string, { projection, version, cursor, state }: SnapshotRow): number {
  return rowChecksum([conversationId, projection, version, cursor, state])
}
