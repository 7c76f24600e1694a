import type { Database } from 'better-sqlite3'
import { rowChecksum } from '../../shared/checksum.ts'
import type { DraftRow } from '../../shared/draft-rows.ts'
import type { DraftChunkRow } from '../messages/operations.ts'
import type { ConversationCache } from './conversation-cache.ts'
import type { LeaseTable } from './lease-table.ts'

/** The open steps: one row for each, and rows of what it has said that are only ever appended and dropped. */
export interface DraftTable {
  /** Adds the chunks whose epoch is the present one and whose step is open; returns the conversations of the others. [SCALE21] */
  append(chunks: readonly DraftChunkRow[]): readonly string[]
  drop(conversationId: string, stepId: string): void
  dropAll(conversationId: string): void
  /** Forgets what was remembered of a transaction that was rolled back. */
  forget(): void
}

/** The table of a connection. */
export function createDraftTable(
  database: Database,
  tables: { readonly cache: ConversationCache; readonly leases: LeaseTable },
): DraftTable {
  const findStep = database
    .prepare<[string, string], number>('SELECT step_key FROM draft_steps WHERE conversation_id = ? AND step_id = ?')
    .pluck()
  const findSteps = database
    .prepare<[string], number>('SELECT step_key FROM draft_steps WHERE conversation_id = ?')
    .pluck()
  const addStep = database.prepare<[string, string, string]>(
    'INSERT INTO draft_steps (conversation_id, run_id, step_id) VALUES (?, ?, ?)',
  )
  const addChunk = database.prepare<[number, number, string]>(
    'INSERT INTO draft_chunks (step_key, checksum, deltas) VALUES (?, ?, ?)',
  )
  const dropChunks = database.prepare<[number]>('DELETE FROM draft_chunks WHERE step_key = ?')
  const dropStep = database.prepare<[number]>('DELETE FROM draft_steps WHERE step_key = ?')

  /** The numbers of the steps that were written to and are open, by conversation and step. */
  const known = new Map<string, Map<string, number>>()

  const keyOf = ({ conversationId, runId, stepId }: DraftChunkRow): number => {
    const steps = known.get(conversationId) ?? new Map<string, number>()
    const key =
      steps.get(stepId) ??
      findStep.get(conversationId, stepId) ??
      Number(addStep.run(conversationId, runId, stepId).lastInsertRowid)
    known.set(conversationId, steps.set(stepId, key))
    return key
  }
  const dropKey = (key: number): void => {
    dropChunks.run(key)
    dropStep.run(key)
  }

  return {
    append(chunks) {
      const lost = new Set<string>()
      for (const chunk of chunks) {
        const { conversationId, epoch, startedSeq, deltas } = chunk
        const isCurrent =
          tables.leases.currentEpoch(conversationId) === epoch && tables.cache.find(conversationId) !== null
        if (isCurrent && tables.leases.takesDraftOf(conversationId, startedSeq))
          addChunk.run(keyOf(chunk), draftChecksum(conversationId, chunk), deltas)
        else lost.add(conversationId)
      }
      return [...lost]
    },
    drop(conversationId, stepId) {
      const steps = known.get(conversationId)
      const key = steps?.get(stepId) ?? findStep.get(conversationId, stepId)
      if (key === undefined) return
      dropKey(key)
      steps?.delete(stepId)
      if (steps?.size === 0) known.delete(conversationId)
    },
    dropAll(conversationId) {
      for (const key of findSteps.all(conversationId)) dropKey(key)
      known.delete(conversationId)
    },
    forget: () => known.clear(),
  }
}

/** The checksum of all that a chunk of a draft says. */
export function draftChecksum(conversationId: string, { runId, stepId, deltas }: DraftRow): number {
  return rowChecksum([conversationId, runId, stepId, deltas])
}
