import { createHash, type Hash } from 'node:crypto'
import { type BlobReference, StoreWriteError, type Upload } from '@holdfast/conversation'
import type { Database, Sql } from '../connection/database.ts'

/** Size of the pieces in which content is kept: what one upload holds in memory, twice. */
const PIECE_BYTES = 256 * 1024

/** Content of more than one piece is noted before its first piece is written, so that a crash leaves nothing unknown. */
const START = `INSERT INTO holdfast.incoming_contents (started_at) VALUES ($1) RETURNING content_id AS "contentId"`

const WRITE_PIECE = 'INSERT INTO holdfast.content_pieces (content_id, piece, bytes) VALUES ($1, $2, $3)'

const FORGET_START = `DELETE FROM holdfast.incoming_contents WHERE content_id = $1 RETURNING content_id AS "contentId"`

const FORGET_PIECES = 'DELETE FROM holdfast.content_pieces WHERE content_id = $1'

/** Keeps the content of the first who came, and locks its row, so that it is not collected meanwhile. */
const KEEP = `
  INSERT INTO holdfast.blobs AS kept (owner_id, hash, content_id, size_bytes, media_type, uploaded_at)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (owner_id, hash) DO UPDATE SET uploaded_at = greatest(kept.uploaded_at, excluded.uploaded_at)
  RETURNING content_id AS "contentId"`

const NAME_UPLOAD = `
  INSERT INTO holdfast.uploads (upload_id, owner_id, hash, media_type, conversation_id, uploaded_at, is_used)
  VALUES ($1, $2, $3, $4, $5, $6, false)
  ON CONFLICT (upload_id) DO UPDATE SET owner_id = excluded.owner_id, hash = excluded.hash, media_type = excluded.media_type,
    conversation_id = excluded.conversation_id, uploaded_at = excluded.uploaded_at, is_used = false`

/** Stores content piece by piece, once for each owner. [LOG11] */
export async function putBlob(database: Database, upload: Upload): Promise<BlobReference> {
  const incoming: Incoming = { hash: createHash('sha256'), sizeBytes: 0, pieceCount: 0, contentId: null }
  try {
    let held: Uint8Array[] = []
    let heldBytes = 0
    for await (const bytes of upload.content) {
      incoming.hash.update(bytes)
      incoming.sizeBytes += bytes.length
      // A caller may fill its buffer anew before this one is written.
      held.push(Uint8Array.from(bytes))
      heldBytes += bytes.length
      if (heldBytes <= PIECE_BYTES) continue
      const rest = await writePieces(database, { incoming, startedAt: upload.at, content: Buffer.concat(held) })
      held = [rest]
      heldBytes = rest.length
    }
    return await keep(database, { upload, incoming, lastPiece: Buffer.concat(held) })
  } catch (error) {
    if (incoming.contentId !== null) await forget(database, incoming.contentId)
    throw error
  }
}

/** Content of which not all has come. */
interface Incoming {
  readonly hash: Hash
  sizeBytes: number
  pieceCount: number
  /** Null while all of it is in memory. */
  contentId: number | null
}

/** Writes whole pieces and gives back what follows them: at least one byte. */
async function writePieces(
  database: Database,
  { incoming, startedAt, content }: { incoming: Incoming; startedAt: number; content: Buffer },
): Promise<Buffer> {
  if (incoming.contentId === null) {
    const rows = await database.writeOnce<{ contentId: number }>(START, [startedAt])
    incoming.contentId = rows[0]?.contentId ?? null
  }
  let from = 0
  for (; content.length - from > PIECE_BYTES; from += PIECE_BYTES) {
    await database.writeOnce(WRITE_PIECE, [
      incoming.contentId,
      incoming.pieceCount,
      content.subarray(from, from + PIECE_BYTES),
    ])
    incoming.pieceCount += 1
  }
  return content.subarray(from)
}

/** The end of an upload: from here on it can be read. */
async function keep(
  database: Database,
  { upload, incoming, lastPiece }: { upload: Upload; incoming: Incoming; lastPiece: Buffer },
): Promise<BlobReference> {
  const { uploadId, ownerId, conversationId, mediaType, at } = upload
  const hash = incoming.hash.digest('hex')
  const { sizeBytes, pieceCount } = incoming
  await database.write(async (sql) => {
    const contentId = await finishedContent(sql, { contentId: incoming.contentId, at })
    const kept = await sql<{ contentId: number }>(KEEP, [ownerId, hash, contentId, sizeBytes, mediaType, at])
    if (kept[0]?.contentId !== contentId) await sql(FORGET_PIECES, [contentId])
    else if (lastPiece.length > 0) await sql(WRITE_PIECE, [contentId, pieceCount, lastPiece])
    await sql(NAME_UPLOAD, [uploadId, ownerId, hash, mediaType, conversationId, at])
  })
  return { hash, sizeBytes, mediaType }
}

/** The id of the content, which from here on is not incoming any more. */
async function finishedContent(sql: Sql, { contentId, at }: { contentId: number | null; at: number }): Promise<number> {
  const started = contentId ?? (await sql<{ contentId: number }>(START, [at]))[0]?.contentId ?? null
  const finished = await sql<{ contentId: number }>(FORGET_START, [started])
  if (finished[0]) return finished[0].contentId
  throw new StoreWriteError('busy', 'The upload took so long that its beginning was collected; upload it again')
}

/** What cannot be deleted now is collected later, as it is when the process ends here. */
async function forget(database: Database, contentId: number): Promise<void> {
  try {
    await database.write(async (sql) => {
      await sql(FORGET_START, [contentId])
      await sql(FORGET_PIECES, [contentId])
    })
  } catch (error) {
    if (!(error instanceof StoreWriteError)) throw error
  }
}
