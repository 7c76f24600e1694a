import { UPLOAD_KEPT_MS } from '@holdfast/conversation'
import type { Sql } from '../connection/database.ts'
import type { ContentPlace } from '../tables/content-place.ts'
import { removeDropped } from '../tables/dropped-objects.ts'

/** How many blobs go in one transaction. */
const BATCH = 100

/** Whoever is about to name one of these waits; what somebody is naming now is left for the next time. */
const OLD = `
  SELECT b.owner_id AS "ownerId", b.hash FROM holdfast.blobs b
  WHERE b.uploaded_at < $1 AND NOT EXISTS (
    SELECT 1 FROM holdfast.blob_references r WHERE r.owner_id = b.owner_id AND r.hash = b.hash)
  ORDER BY b.uploaded_at LIMIT $2 FOR UPDATE OF b SKIP LOCKED`

const LOCK = 'SELECT hash FROM holdfast.blobs WHERE owner_id = $1 AND hash = ANY($2) ORDER BY hash FOR UPDATE'

/** The rows are locked by now: nobody can come to name one of them any more, and who did is seen. */
const DELETE_UNNAMED = `
  WITH gone AS (
    DELETE FROM holdfast.blobs b
    USING unnest($1::text[], $2::text[]) AS old (owner_id, hash)
    WHERE b.owner_id = old.owner_id AND b.hash = old.hash AND NOT EXISTS (
      SELECT 1 FROM holdfast.blob_references r WHERE r.owner_id = b.owner_id AND r.hash = b.hash)
      AND NOT EXISTS (
      SELECT 1 FROM holdfast.uploads u WHERE u.owner_id = b.owner_id AND u.hash = b.hash
        AND NOT u.is_used AND u.conversation_id IS DISTINCT FROM $3 AND u.uploaded_at >= $4)
    RETURNING b.owner_id, b.hash, b.content_id, b.object_id
  ), pieces AS (
    DELETE FROM holdfast.content_pieces p USING gone WHERE p.content_id = gone.content_id
  ), objects AS (
    INSERT INTO holdfast.dropped_objects (object_id) SELECT object_id FROM gone WHERE object_id IS NOT NULL
  ), names AS (
    DELETE FROM holdfast.uploads u USING gone WHERE u.owner_id = gone.owner_id AND u.hash = gone.hash
  )
  SELECT count(*) AS count FROM gone`

/** Uploads that ended in the middle. */
const DELETE_UNFINISHED = `
  WITH gone AS (
    DELETE FROM holdfast.incoming_contents WHERE started_at < $1 RETURNING content_id, object_id
  ), objects AS (
    INSERT INTO holdfast.dropped_objects (object_id) SELECT object_id FROM gone WHERE object_id IS NOT NULL
  )
  DELETE FROM holdfast.content_pieces p USING gone WHERE p.content_id = gone.content_id`

interface OldBlob {
  readonly ownerId: string
  readonly hash: string
}

/** Deletes what no entry names and nobody has uploaded since `uploadedBefore`; answers with how many went. [LOG11] */
export async function collectBlobs({ database, bucket }: ContentPlace, uploadedBefore: number): Promise<number> {
  let count = 0
  while (true) {
    const batch = await database.maintain(async (sql) => {
      const old = await sql<OldBlob>(OLD, [uploadedBefore, BATCH])
      return {
        size: old.length,
        deleted: await deleteUnnamed(sql, { blobs: old, conversationId: null, keptSince: uploadedBefore }),
      }
    })
    count += batch.deleted
    if (batch.size < BATCH) break
  }
  await database.maintain((sql) => sql(DELETE_UNFINISHED, [uploadedBefore]))
  if (bucket) await removeDropped(database, bucket)
  return count
}

/** Which blobs may go, of whom, with what was said in which conversation, and when. */
export interface Dropped {
  readonly ownerId: string
  readonly hashes: readonly string[]
  readonly conversationId: string
  readonly at: number
}

/** Deletes those that no entry names any more and no upload for elsewhere waits for. */
export async function dropUnnamed(sql: Sql, { ownerId, hashes, conversationId, at }: Dropped): Promise<void> {
  if (hashes.length === 0) return
  await sql(LOCK, [ownerId, hashes])
  const blobs = hashes.map((hash) => ({ ownerId, hash }))
  await deleteUnnamed(sql, { blobs, conversationId, keptSince: at - UPLOAD_KEPT_MS })
}

interface Deleting {
  readonly blobs: readonly OldBlob[]
  /** What was made for this one is not waited for; null for none. */
  readonly conversationId: string | null
  readonly keptSince: number
}

async function deleteUnnamed(sql: Sql, { blobs, conversationId, keptSince }: Deleting): Promise<number> {
  if (blobs.length === 0) return 0
  const rows = await sql<{ count: number }>(DELETE_UNNAMED, [
    blobs.map(({ ownerId }) => ownerId),
    blobs.map(({ hash }) => hash),
    conversationId,
    keptSince,
  ])
  return rows[0]?.count ?? 0
}
