import type { DraftChunk, StoredDraft } from '@holdfast/conversation'
import { type DraftRow, toDrafts } from '../../shared/draft-rows.ts'
import type { Database } from '../connection/database.ts'

/**
 * One statement, which is one transaction. The leases are read with a lock that whoever takes one over or ends a step waits
 * for, and read again where somebody has done so in the meantime. [LOG10, SCALE21]
 */
const APPEND = `
  WITH chunk AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[])
      WITH ORDINALITY AS given (conversation_id, run_id, step_id, epoch, deltas, started_seq, place)
  ), held AS (
    SELECT conversation_id, epoch, drafts_after FROM holdfast.leases
    WHERE conversation_id = ANY($1::text[]) ORDER BY conversation_id FOR SHARE
  ), good AS (
    SELECT chunk.* FROM chunk
    JOIN held USING (conversation_id, epoch)
    JOIN holdfast.conversations USING (conversation_id)
    WHERE started_seq > drafts_after
  ), written AS (
    INSERT INTO holdfast.drafts (conversation_id, run_id, step_id, deltas)
    SELECT conversation_id, run_id, step_id, deltas FROM good ORDER BY place
  )
  SELECT DISTINCT conversation_id AS "conversationId" FROM chunk WHERE place NOT IN (SELECT place FROM good)`

const READ = `
  SELECT run_id AS "runId", step_id AS "stepId", deltas FROM holdfast.drafts
  WHERE conversation_id = $1 ORDER BY draft_number`

/** Adds the chunks whose epoch is the present one and whose step is open; answers with the conversations of the others. [RUN3] */
export async function appendDrafts(database: Database, chunks: readonly DraftChunk[]): Promise<readonly string[]> {
  if (chunks.length === 0) return []
  const rows = await database.writeOnce<{ conversationId: string }>(APPEND, [
    chunks.map(({ conversationId }) => conversationId),
    chunks.map(({ runId }) => runId),
    chunks.map(({ stepId }) => stepId),
    chunks.map(({ epoch }) => epoch),
    chunks.map(({ deltas }) => JSON.stringify(deltas)),
    chunks.map(({ startedSeq }) => startedSeq),
  ])
  return rows.map(({ conversationId }) => conversationId)
}

/** The open steps of a conversation. */
export async function readDrafts(database: Database, conversationId: string): Promise<readonly StoredDraft[]> {
  return toDrafts(await database.read((sql) => sql<DraftRow>(READ, [conversationId])))
}
