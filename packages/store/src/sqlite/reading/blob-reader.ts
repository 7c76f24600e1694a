import type { StoredBytes } from '@holdfast/conversation'
import type { Database } from 'better-sqlite3'
import type { BlobRow, FoundBlob, Operations, ReadSignatures } from '../messages/operations.ts'
import { isIntactPiece } from '../tables/blob-table.ts'
import type { ConversationTable } from '../tables/conversation-table.ts'

/** Contents up to this many bytes are given along with what is asked about them. */
const SMALL_BYTES = 64 * 1024

/** The blobs' part of the reading thread. */
export function createBlobReader(
  database: Database,
  conversations: ConversationTable,
): Pick<Operations<ReadSignatures>, 'findBlob' | 'readBlobPiece' | 'storedBytes' | 'droppedObjects'> {
  const named = database.prepare<[number, string], BlobRow>(
    `SELECT blob_key AS blobKey, object_id AS objectId, hash, size_bytes AS sizeBytes, media_type AS mediaType
     FROM blob_references JOIN blobs USING (blob_key) WHERE conversation_key = ? AND hash = ?`,
  )
  const uploaded = database.prepare<[string, string], BlobRow>(
    `SELECT blob_key AS blobKey, object_id AS objectId, hash, size_bytes AS sizeBytes, media_type AS mediaType
     FROM uploads JOIN blobs USING (blob_key) WHERE upload_id = ? AND uploads.owner_id = ?`,
  )
  const piece = database.prepare<[number, number], { bytes: Uint8Array; checksum: number }>(
    'SELECT bytes, checksum FROM blob_pieces WHERE blob_key = ? AND piece = ?',
  )
  const stored = database.prepare<[string], StoredBytes>(
    `SELECT coalesce(sum(size_bytes) FILTER (WHERE owner_id = ?), 0) AS ofOwner, coalesce(sum(size_bytes), 0) AS inAll
     FROM blobs WHERE hash IS NOT NULL`,
  )
  const dropped = database.prepare<[number], { objectId: string }>(
    'SELECT object_id AS objectId FROM dropped_objects ORDER BY object_id LIMIT ?',
  )
  const readPiece = (blobKey: number, number: number) => {
    const found = piece.get(blobKey, number)
    return found && isIntactPiece(found) ? found.bytes : null
  }
  const withContent = (row: BlobRow | undefined): FoundBlob | null => {
    if (!row) return null
    const isSmall = row.objectId === null && row.sizeBytes <= SMALL_BYTES
    return { ...row, whole: isSmall ? readPiece(row.blobKey, 0) : null }
  }
  return {
    droppedObjects: ({ limit }) => dropped.all(limit).map(({ objectId }) => objectId),
    storedBytes: ({ ownerId }) => stored.get(ownerId) ?? { ofOwner: 0, inAll: 0 },
    findBlob(call) {
      if ('uploadId' in call) return withContent(uploaded.get(call.uploadId, call.ownerId))
      const conversation = conversations.find(call.conversationId)
      return conversation ? withContent(named.get(conversation.key, call.hash)) : null
    },
    readBlobPiece: ({ blobKey, piece: number }) => readPiece(blobKey, number),
  }
}
