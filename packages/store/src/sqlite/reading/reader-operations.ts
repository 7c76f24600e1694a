import type { Lease } from '@holdfast/conversation'
import { StoreReadError } from '@holdfast/conversation/stored'
import type { Database } from 'better-sqlite3'
import { durableSettings } from '../files/connection.ts'
import type { Operations, ReadSignatures, SnapshotRow, UsageRow } from '../messages/operations.ts'
import { createConversationTable } from '../tables/conversation-table.ts'
import { draftChecksum } from '../tables/draft-table.ts'
import { createEntryTable } from '../tables/entry-table.ts'
import { snapshotChecksum } from '../tables/snapshot-table.ts'
import { createBlobReader } from './blob-reader.ts'
import { createListReader } from './list-reader.ts'
import { firstBadSeq, readPage, readPageText } from './log-reader.ts'
import { createRecordReader } from './record-reader.ts'
import { createRescue } from './rescue.ts'
import { createSearchReader } from './search-reader.ts'

/** What the reading thread does, by name. Each reads one state of the database. */
export function createReaderOperations(database: Database): Operations<ReadSignatures> {
  const entries = createEntryTable(database)
  const conversations = createConversationTable(database)
  const tables = { entries, conversations }
  const blobs = createBlobReader(database, conversations)
  const rescue = createRescue(database, conversations)
  const drafts = database.prepare<[string], { runId: string; stepId: string; deltas: string; checksum: number }>(
    `SELECT run_id AS runId, step_id AS stepId, deltas, checksum FROM draft_steps JOIN draft_chunks USING (step_key)
     WHERE conversation_id = ? ORDER BY chunk_id`,
  )
  const snapshots = database.prepare<[string], SnapshotRow & { readonly checksum: number }>(
    'SELECT projection, version, cursor, state, checksum FROM snapshots WHERE conversation_id = ?',
  )
  const usage = database.prepare<[string, number, number, number, string, number, number], UsageRow>(
    `SELECT conversation_id AS conversationId, seq, checksum, body FROM usage
     WHERE owner_id = ? AND at >= ? AND at < ? AND (at, conversation_id, seq) > (?, ?, ?)
     ORDER BY at, conversation_id, seq LIMIT ?`,
  )
  const expired = database.prepare<[number, number], Lease>(
    `SELECT conversation_id AS conversationId, holder, epoch, expires_at AS expiresAt FROM leases
     WHERE holder IS NOT NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?`,
  )
  return {
    readPage: (call) => readPage(tables, call),
    readPageText: (call) => readPageText(tables, call),
    firstBadSeq: ({ conversationId, to }) => firstBadSeq(tables, conversationId, to),
    readDrafts({ conversationId }) {
      const rows = drafts.all(conversationId)
      if (rows.some((row) => row.checksum !== draftChecksum(conversationId, row))) {
        throw new StoreReadError(
          `A draft of conversation ${conversationId} is damaged; what it held is lost when its step ends.`,
        )
      }
      return rows.map(({ runId, stepId, deltas }) => ({ runId, stepId, deltas }))
    },
    readSnapshots: ({ conversationId }) =>
      snapshots
        .all(conversationId)
        .filter((row) => row.checksum === snapshotChecksum(conversationId, row))
        .map(({ projection, version, cursor, state }) => ({ projection, version, cursor, state })),
    ...createListReader(database, tables),
    ...createSearchReader(database),
    readUsage({ ownerId, from, to, limit, after }) {
      const place = after ?? { at: -1, conversationId: '', seq: 0 }
      return usage.all(ownerId, from, to, place.at, place.conversationId, place.seq, limit)
    },
    ...blobs,
    ...createRecordReader(database),
    expiredLeases: ({ now, limit }) => expired.all(now, limit),
    planRescue: ({ conversationId }) => rescue.plan(conversationId),
    rescueRows: ({ conversationId, entryIds }) => rescue.rows(conversationId, entryIds),
    readerSettings: () => durableSettings(database),
  }
}
