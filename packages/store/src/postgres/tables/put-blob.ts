import { createHash, type Hash, randomUUID } from 'node:crypto'
import { type BlobReference, StoreWriteError, type Upload } from '@holdfast/conversation'
import type { Bucket } from '../../bucket/bucket.ts'
import { writeContent } from '../../bucket/contents.ts'
import type { Database, Sql } from '../connection/database.ts'
import type { ContentPlace } from './content-place.ts'
import { DROP_OBJECT, removeDroppedIfReached } from './dropped-objects.ts'

/** Size of the pieces in which content is kept: what one upload holds in memory, twice. */
const PIECE_BYTES = 256 * 1024

/** Content of more than one piece is noted before its first piece is written, so that a crash leaves nothing unknown. */
const START = `
  INSERT INTO holdfast.incoming_contents (started_at, object_id) VALUES ($1, $2) RETURNING content_id AS "contentId"`

const WRITE_PIECE = 'INSERT INTO holdfast.content_pieces (content_id, piece, bytes) VALUES ($1, $2, $3)'

const FORGET_START = `DELETE FROM holdfast.incoming_contents WHERE content_id = $1 RETURNING object_id AS "objectId"`

const FORGET_PIECES = 'DELETE FROM holdfast.content_pieces WHERE content_id = $1'

/** Keeps the content of the first who came, and locks its row, so that it is not collected meanwhile. */
const KEEP = `
  INSERT INTO holdfast.blobs AS kept (owner_id, hash, content_id, size_bytes, media_type, uploaded_at, object_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (owner_id, hash) DO UPDATE SET uploaded_at = greatest(kept.uploaded_at, excluded.uploaded_at)
  RETURNING content_id AS "contentId"`

const NAME_UPLOAD = `
  INSERT INTO holdfast.uploads (upload_id, owner_id, hash, media_type, conversation_id, uploaded_at, is_used)
  VALUES ($1, $2, $3, $4, $5, $6, false)
  ON CONFLICT (upload_id) DO UPDATE SET owner_id = excluded.owner_id, hash = excluded.hash, media_type = excluded.media_type,
    conversation_id = excluded.conversation_id, uploaded_at = excluded.uploaded_at, is_used = false`

/** Stores content piece by piece, once for each owner: in the bucket where there is one. [LOG11, LOG32] */
export function putBlob({ database, bucket }: ContentPlace, upload: Upload): Promise<BlobReference> {
  return bucket ? putInBucket({ database, bucket }, upload) : putInDatabase(database, upload)
}

/** The object is noted before its first piece is written, so that a crash leaves nothing unknown in the bucket. */
async function putInBucket(
  { database, bucket }: { readonly database: Database; readonly bucket: Bucket },
  upload: Upload,
): Promise<BlobReference> {
  const objectId = randomUUID()
  const contentId = await start(database, { startedAt: upload.at, objectId })
  try {
    const { hash, sizeBytes } = await writeContent(bucket, { objectId, content: upload.content })
    const isKept = await database.write(async (sql) => {
      await requireStarted(sql, contentId)
      return keep(sql, { upload, content: { contentId, hash, sizeBytes, objectId } })
    })
    if (!isKept) await removeDroppedIfReached({ database, bucket })
    return { hash, sizeBytes, mediaType: upload.mediaType }
  } catch (error) {
    await forget(database, contentId)
    await removeDroppedIfReached({ database, bucket })
    throw error
  }
}

async function putInDatabase(database: Database, upload: Upload): Promise<BlobReference> {
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
    return await end(database, { upload, incoming, lastPiece: Buffer.concat(held) })
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
  incoming.contentId ??= await start(database, { startedAt, objectId: null })
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
async function end(
  database: Database,
  { upload, incoming, lastPiece }: { upload: Upload; incoming: Incoming; lastPiece: Buffer },
): Promise<BlobReference> {
  const hash = incoming.hash.digest('hex')
  const { sizeBytes, pieceCount } = incoming
  await database.write(async (sql) => {
    const contentId = incoming.contentId ?? (await startWithin(sql, { startedAt: upload.at, objectId: null }))
    await requireStarted(sql, contentId)
    const isKept = await keep(sql, { upload, content: { contentId, hash, sizeBytes, objectId: null } })
    if (!isKept) await sql(FORGET_PIECES, [contentId])
    else if (lastPiece.length > 0) await sql(WRITE_PIECE, [contentId, pieceCount, lastPiece])
  })
  return { hash, sizeBytes, mediaType: upload.mediaType }
}

/** Content that has come whole, and where it is: `objectId` is null where it is in the database. */
interface WholeContent {
  readonly contentId: number
  readonly hash: string
  readonly sizeBytes: number
  readonly objectId: string | null
}

/** Names the content, or that of the owner's which is the same; an object that is not needed is noted to go. */
async function keep(sql: Sql, { upload, content }: { upload: Upload; content: WholeContent }): Promise<boolean> {
  const { uploadId, ownerId, conversationId, mediaType, at } = upload
  const { contentId, hash, sizeBytes, objectId } = content
  const values = [ownerId, hash, contentId, sizeBytes, mediaType, at, objectId]
  const kept = await sql<{ contentId: number }>(KEEP, values)
  const isKept = kept[0]?.contentId === contentId
  if (!isKept && objectId !== null) await sql(DROP_OBJECT, [objectId])
  await sql(NAME_UPLOAD, [uploadId, ownerId, hash, mediaType, conversationId, at])
  return isKept
}

interface Started {
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number
  readonly objectId: string | null
}

async function start(database: Database, { startedAt, objectId }: Started): Promise<number> {
  return contentIdOf(await database.writeOnce<{ contentId: number }>(START, [startedAt, objectId]))
}

async function startWithin(sql: Sql, { startedAt, objectId }: Started): Promise<number> {
  return contentIdOf(await sql<{ contentId: number }>(START, [startedAt, objectId]))
}

function contentIdOf([row]: readonly { readonly contentId: number }[]): number {
  if (!row) throw new Error('The database answered an insert with nothing')
  return row.contentId
}

/** From here on the content is not incoming any more. */
async function requireStarted(sql: Sql, contentId: number): Promise<void> {
  const finished = await sql(FORGET_START, [contentId])
  if (finished.length > 0) return
  throw new StoreWriteError('busy', 'The upload took so long that its beginning was collected; upload it again')
}

/** What cannot be deleted now is collected later, as it is when the process ends here. */
async function forget(database: Database, contentId: number): Promise<void> {
  try {
    await database.write(async (sql) => {
      const [started] = await sql<{ objectId: string | null }>(FORGET_START, [contentId])
      if (started && started.objectId !== null) await sql(DROP_OBJECT, [started.objectId])
      await sql(FORGET_PIECES, [contentId])
    })
  } catch (error) {
    if (!(error instanceof StoreWriteError)) throw error
  }
}
