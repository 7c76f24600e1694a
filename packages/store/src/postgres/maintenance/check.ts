import { type Damage, DamagedBlobError, type IntegrityReport, listing, NewerEntryError } from '@holdfast/conversation'
import type { Database } from '../connection/database.ts'
import { isStorageFault } from '../connection/database-failures.ts'
import type { ContentPlace } from '../tables/content-place.ts'
import { CONVERSATION_COLUMNS, type ConversationRow, isCurrent } from '../tables/conversation-rows.ts'
import { type BlobRow, contentOf } from '../tables/read-blob.ts'
import { scanLog } from '../tables/scan-log.ts'

/** The next conversation by id, with a row or with entries only. */
const NEXT_LOG = `
  SELECT least(
    (SELECT conversation_id FROM holdfast.conversations WHERE conversation_id > $1 ORDER BY conversation_id LIMIT 1),
    (SELECT conversation_id FROM holdfast.entries WHERE conversation_id > $1 ORDER BY conversation_id LIMIT 1)
  ) AS "conversationId"`

const ROW = `SELECT ${CONVERSATION_COLUMNS} FROM holdfast.conversations c WHERE conversation_id = $1`

const LOST_BLOB = `
  SELECT r.seq, r.hash FROM holdfast.blob_references r
  WHERE r.conversation_id = $1 AND NOT EXISTS (
    SELECT 1 FROM holdfast.blobs b WHERE b.owner_id = r.owner_id AND b.hash = r.hash)
  ORDER BY r.seq LIMIT 1`

const NEXT_BLOB = `
  SELECT b.owner_id AS "ownerId", b.hash, b.size_bytes AS "sizeBytes", b.media_type AS "mediaType",
    b.content_id AS "contentId", b.object_id AS "objectId",
    (SELECT min(r.conversation_id) FROM holdfast.blob_references r
      WHERE r.owner_id = b.owner_id AND r.hash = b.hash) AS "conversationId"
  FROM holdfast.blobs b WHERE (b.owner_id, b.hash) > ($1, $2) ORDER BY b.owner_id, b.hash LIMIT 1`

/** Reads everything once, in bounded memory, while others read and write. [LOG7] */
export async function check(place: ContentPlace, signal: AbortSignal): Promise<IntegrityReport> {
  const { database } = place
  const damages: Damage[] = []
  let conversationCount = 0
  let entryCount = 0
  for (let id = await nextLog(database, ''); id !== null; id = await nextLog(database, id)) {
    conversationCount += 1
    entryCount += await checkLog(database, { conversationId: id, damages, signal })
  }
  let last = { ownerId: '', hash: '' }
  while (true) {
    signal.throwIfAborted()
    const blob = await nextBlob(database, last)
    if (!blob) break
    const what = await blobDamage(place, blob)
    if (what !== null) damages.push({ conversationId: blob.conversationId, firstBadSeq: null, what })
    last = blob
  }
  return { conversationCount, entryCount, damages }
}

async function nextLog(database: Database, after: string): Promise<string | null> {
  const rows = await database.read((sql) => sql<{ conversationId: string | null }>(NEXT_LOG, [after]))
  return rows[0]?.conversationId ?? null
}

/** Notes the first damage of a log and the damage beside it; answers with how many entries can be read. */
async function checkLog(
  database: Database,
  { conversationId, damages, signal }: { conversationId: string; damages: Damage[]; signal: AbortSignal },
): Promise<number> {
  let readable = 0
  let first: Damage | null = null
  try {
    for await (const found of scanLog(database, conversationId)) {
      signal.throwIfAborted()
      if (found.type === 'entry') readable += 1
      else first ??= { conversationId, firstBadSeq: found.seq, what: `entry ${found.seq}: ${found.what}` }
    }
    if (first) damages.push(first)
    const beside = await damageBeside(database, conversationId)
    if (beside !== null) damages.push({ conversationId, firstBadSeq: null, what: beside })
  } catch (error) {
    if (isStorageFault(error) && error instanceof Error)
      damages.push({ conversationId, firstBadSeq: null, what: error.message })
    else if (!(error instanceof NewerEntryError)) throw error
  }
  return readable
}

async function damageBeside(database: Database, conversationId: string): Promise<string | null> {
  const rows = await database.read((sql) => sql<ConversationRow>(ROW, [conversationId]))
  const [row] = rows
  if (row && row.version === listing.version && !isCurrent(row)) return 'its row of the list is not what was written'
  const lost = await database.read((sql) => sql<{ seq: number; hash: string }>(LOST_BLOB, [conversationId]))
  return lost[0] ? `blob ${lost[0].hash}, which entry ${lost[0].seq} names, is missing` : null
}

type NamedBlob = BlobRow & { readonly ownerId: string; readonly conversationId: string | null }

async function nextBlob(database: Database, after: { ownerId: string; hash: string }): Promise<NamedBlob | null> {
  const rows = await database.read((sql) => sql<NamedBlob>(NEXT_BLOB, [after.ownerId, after.hash]))
  return rows[0] ?? null
}

async function blobDamage(place: ContentPlace, blob: BlobRow): Promise<string | null> {
  try {
    for await (const _ of contentOf(place, blob)) {
      // Reading it through is what checks it.
    }
    return null
  } catch (error) {
    if (error instanceof DamagedBlobError || (isStorageFault(error) && error instanceof Error)) return error.message
    throw error
  }
}
