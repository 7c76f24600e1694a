import { type Entry, type Erasure, ErasureRefusedError } from '@holdfast/conversation'
import { planErasure } from '../../shared/plan-erasure.ts'
import { toEntryRow } from '../../shared/prepare-append.ts'
import type { Sql } from '../connection/database.ts'
import type { ContentPlace } from '../tables/content-place.ts'
import { lockLogWhole } from '../tables/conversation-rows.ts'
import { removeDroppedIfReached } from '../tables/dropped-objects.ts'
import { reindexLocked } from '../tables/reindex.ts'
import { dropUnnamed } from './collect-blobs.ts'
import { erasureCandidates } from './erasure-candidates.ts'

const REPLACE = `
  UPDATE holdfast.entries old SET body = new.body, checksum = new.checksum, is_checkpoint = false
  FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS new (seq, checksum, body)
  WHERE old.conversation_id = $1 AND old.seq = new.seq`

const DROP_REFERENCES =
  'DELETE FROM holdfast.blob_references WHERE conversation_id = $1 AND seq = ANY($2::bigint[]) RETURNING hash'
const DROP_DRAFTS = 'DELETE FROM holdfast.drafts WHERE conversation_id = $1 AND step_id = ANY($2::text[])'
const DROP_SNAPSHOTS = 'DELETE FROM holdfast.snapshots WHERE conversation_id = $1'

const DROP_LEASE = `
  UPDATE holdfast.leases SET epoch = epoch + 1, is_released = true, holder = '', expires_at = 0, drafts_after = 0
  WHERE conversation_id = $1`
const DROP_NAMES = 'DELETE FROM holdfast.blob_references WHERE conversation_id = $1 RETURNING hash'

/** Every table whose rows are of one conversation and go with it. */
const DROP_LOG = ['entries', 'commands', 'drafts', 'snapshots', 'search_passages', 'conversations'].map(
  (table) => `DELETE FROM holdfast.${table} WHERE conversation_id = $1`,
)

/** Puts tombstones in the place of entries and drops every copy of what they said. [LOG9] */
export async function erase(place: ContentPlace, erasure: Erasure): Promise<readonly Entry[]> {
  const { conversationId, seqs } = erasure
  const erased = await place.database.maintain(async (sql) => {
    const log = await lockLogWhole(sql, conversationId)
    if (!log) throw new ErasureRefusedError(seqs[0] ?? 0, 'there is no such conversation')
    const { tombstones, stepIds } = planErasure(await erasureCandidates(sql, { log, seqs }), erasure)
    const rows = tombstones.map(toEntryRow)
    const erasedSeqs = rows.map(({ seq }) => seq)
    await sql(REPLACE, [conversationId, erasedSeqs, rows.map(({ checksum }) => checksum), rows.map(({ body }) => body)])
    await sql(DROP_DRAFTS, [conversationId, stepIds])
    await sql(DROP_SNAPSHOTS, [conversationId])
    await reindexLocked(sql, log)
    const hashes = await droppedNames(sql, DROP_REFERENCES, [conversationId, erasedSeqs])
    await dropUnnamed(sql, { ownerId: log.ownerId, hashes, conversationId, at: erasure.at })
    return tombstones
  })
  await removeDroppedIfReached(place)
  return erased
}

/** Forgets a conversation. Its lease row stays with a new epoch, so that a run of it can write nothing more. [LOG9, LOG10] */
export async function deleteConversation(place: ContentPlace, conversationId: string, at: number): Promise<void> {
  await place.database.maintain(async (sql) => {
    const log = await lockLogWhole(sql, conversationId)
    await sql(DROP_LEASE, [conversationId])
    const hashes = await droppedNames(sql, DROP_NAMES, [conversationId])
    for (const statement of DROP_LOG) await sql(statement, [conversationId])
    if (log) await dropUnnamed(sql, { ownerId: log.ownerId, hashes, conversationId, at })
  })
  await removeDroppedIfReached(place)
}

async function droppedNames(sql: Sql, statement: string, values: readonly unknown[]): Promise<string[]> {
  const rows = await sql<{ hash: string }>(statement, values)
  return [...new Set(rows.map(({ hash }) => hash))]
}
