import type { Database } from 'better-sqlite3'
import { rowChecksum } from '../../shared/checksum.ts'
import type { DraftRow } from '../../shared/draft-rows.ts'
import type { DraftChunkRow } from '../messages/operations.ts'
import type { ConversationCache } from './conversation-cache.ts'
import type { LeaseTable } from './lease-table.ts'

/** The open steps, as rows that are only ever appended and dropped. */
export interface DraftTable {
  /** Adds the chunks whose epoch is the present one; returns the conversations of the others. */
  append(chunks: readonly DraftChunkRow[]): readonly string[]
  drop(conversationId: string, stepId: string): void
  dropAll(conversationId: string): void
}

/** The table of a connection. */
export function createDraftTable(
  database: Database,
  tables: { readonly cache: ConversationCache; readonly leases: LeaseTable },
): DraftTable {
  const insert = database.prepare<[string, string, string, number, string]>(
    'INSERT INTO drafts (conversation_id, run_id, step_id, checksum, deltas) VALUES (?, ?, ?, ?, ?)',
  )
  const drop = database.prepare<[string, string]>('DELETE FROM drafts WHERE conversation_id = ? AND step_id = ?')
  const dropAll = database.prepare<[string]>('DELETE FROM drafts WHERE conversation_id = ?')
  return {
    append(chunks) {
      const lost = new Set<string>()
      for (const chunk of chunks) {
        const { conversationId, runId, stepId, deltas } = chunk
        const isCurrent =
          tables.leases.currentEpoch(conversationId) === chunk.epoch && tables.cache.find(conversationId) !== null
        if (isCurrent) insert.run(conversationId, runId, stepId, draftChecksum(conversationId, chunk), deltas)
        else lost.add(conversationId)
      }
      return [...lost]
    },
    drop: (conversationId, stepId) => {
      drop.run(conversationId, stepId)
    },
    dropAll: (conversationId) => {
      dropAll.run(conversationId)
    },
  }
}

/** The checksum of all that a draft's row says. */
export function draftChecksum(conversationId: string, { runId, stepId, deltas }: DraftRow): number {
  return rowChecksum([conversationId, runId, stepId, deltas])
}
