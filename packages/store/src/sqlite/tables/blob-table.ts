import { crc32 } from 'node:zlib'
import type { BlobReference, NamedUpload } from '@holdfast/conversation'
import { UPLOAD_KEPT_MS } from '@holdfast/conversation/stored'
import type { Database } from 'better-sqlite3'
import { Refusal } from '../messages/failures.ts'
import type { UploadRow } from '../messages/operations.ts'

/** A blob that an entry names. */
export interface NamedBlob {
  readonly blobKey: number
  readonly hash: string
  readonly mediaType: string
}

/** A conversation in which something was erased, or that goes, and when. */
export interface Releasing {
  readonly key: number
  readonly conversationId: string
  readonly at: number
}

/** The contents that are too big for the log, in pieces, and who names them. [LOG11] */
export interface BlobTable {
  /** @throws {Refusal} `missing-blob` when the owner does not have one of them. */
  requireAll(ownerId: string, references: readonly BlobReference[]): NamedBlob[]
  /** Counts one more entry of a conversation that names it. */
  refer(conversationKey: number, blob: NamedBlob): void
  /** Marks the uploads that an append names, by their ids or as made for its conversation. */
  use(conversationId: string, named: readonly NamedBlob[], uploads: readonly NamedUpload[]): void
  /** Counts one entry less, and deletes what no entry names any more and no upload for elsewhere waits for. */
  release(from: Releasing, ownerId: string, references: readonly BlobReference[]): void
  releaseAll(from: Releasing): void
  /** `objectId` is null for content that comes into the database. */
  begin(ownerId: string, objectId: string | null): number
  addPiece(blobKey: number, piece: number, bytes: Uint8Array): void
  /** Gives the pieces their address, or drops them when the owner has the same content already. */
  end(blobKey: number, upload: UploadRow): void
  drop(blobKey: number): void
  /** Deletes what no entry names and was uploaded before a time; returns how many. */
  collect(uploadedBefore: number): number
  /** Deletes what uploads that never ended have left behind. */
  dropUnfinished(): void
  /** Forgets objects that were removed from the bucket. */
  forgetDropped(objectIds: readonly string[]): void
}

/** The tables of a connection. */
export function createBlobTable(database: Database): BlobTable {
  const find = database.prepare<[string, string], { blobKey: number }>(
    'SELECT blob_key AS blobKey FROM blobs WHERE owner_id = ? AND hash = ?',
  )
  const refer = database.prepare<[number, number, string]>(
    `INSERT INTO blob_references (conversation_key, blob_key, media_type, count) VALUES (?, ?, ?, 1)
     ON CONFLICT (conversation_key, blob_key) DO UPDATE SET count = count + 1`,
  )
  const release = database.prepare<[number, number]>(
    'UPDATE blob_references SET count = count - 1 WHERE conversation_key = ? AND blob_key = ?',
  )
  const forget = database.prepare<[number]>('DELETE FROM blob_references WHERE conversation_key = ? AND count <= 0')
  const ofConversation = database.prepare<[number], { blobKey: number }>(
    'SELECT blob_key AS blobKey FROM blob_references WHERE conversation_key = ?',
  )
  const forgetAll = database.prepare<[number]>('DELETE FROM blob_references WHERE conversation_key = ?')
  const isNamed = database.prepare<[number]>('SELECT 1 FROM blob_references WHERE blob_key = ? LIMIT 1')
  const begin = database.prepare<[string, string | null]>(
    'INSERT INTO blobs (owner_id, hash, size_bytes, object_id) VALUES (?, NULL, 0, ?)',
  )
  const dropObject = database.prepare<[number]>(
    'INSERT INTO dropped_objects (object_id) SELECT object_id FROM blobs WHERE blob_key = ? AND object_id IS NOT NULL',
  )
  const forgetDropped = database.prepare<[string]>('DELETE FROM dropped_objects WHERE object_id = ?')
  const addPiece = database.prepare<[number, number, number, Uint8Array]>(
    'INSERT INTO blob_pieces (blob_key, piece, checksum, bytes) VALUES (?, ?, ?, ?)',
  )
  const end = database.prepare<[string, number, number]>('UPDATE blobs SET hash = ?, size_bytes = ? WHERE blob_key = ?')
  const upload = database.prepare<[string, string, string | null, number, string, number]>(
    `INSERT INTO uploads (upload_id, owner_id, conversation_id, blob_key, media_type, at, used) VALUES (?, ?, ?, ?, ?, ?, 0)
     ON CONFLICT (upload_id) DO UPDATE SET owner_id = excluded.owner_id, conversation_id = excluded.conversation_id,
       blob_key = excluded.blob_key, media_type = excluded.media_type, at = excluded.at, used = 0`,
  )
  const useMade = database.prepare<[number, string]>(
    'UPDATE uploads SET used = 1 WHERE blob_key = ? AND conversation_id = ? AND used = 0',
  )
  const useNamed = database.prepare<[string, number]>(
    'UPDATE uploads SET used = 1 WHERE upload_id = ? AND blob_key = ?',
  )
  const isAwaited = database.prepare<[number, string, number]>(
    'SELECT 1 FROM uploads WHERE blob_key = ? AND used = 0 AND conversation_id IS NOT ? AND at >= ? LIMIT 1',
  )
  const dropPieces = database.prepare<[number]>('DELETE FROM blob_pieces WHERE blob_key = ?')
  const dropUploads = database.prepare<[number]>('DELETE FROM uploads WHERE blob_key = ?')
  const dropBlob = database.prepare<[number]>('DELETE FROM blobs WHERE blob_key = ?')
  const unnamed = database.prepare<[number], { blobKey: number }>(
    `SELECT blob_key AS blobKey FROM blobs
     WHERE hash IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM blob_references WHERE blob_references.blob_key = blobs.blob_key)
       AND NOT EXISTS (SELECT 1 FROM uploads WHERE uploads.blob_key = blobs.blob_key AND at >= ?)`,
  )
  const unfinished = database.prepare<[], { blobKey: number }>(
    'SELECT blob_key AS blobKey FROM blobs WHERE hash IS NULL',
  )

  const drop = (blobKey: number): void => {
    dropObject.run(blobKey)
    dropPieces.run(blobKey)
    dropUploads.run(blobKey)
    dropBlob.run(blobKey)
  }
  const dropUnnamed = (blobKeys: readonly number[], { conversationId, at }: Releasing): void => {
    for (const blobKey of new Set(blobKeys)) {
      if (!isNamed.get(blobKey) && !isAwaited.get(blobKey, conversationId, at - UPLOAD_KEPT_MS)) drop(blobKey)
    }
  }
  return {
    requireAll: (ownerId, references) =>
      references.map(({ hash, mediaType }) => {
        const found = find.get(ownerId, hash)
        if (!found) throw new Refusal({ type: 'missing-blob', hash })
        return { blobKey: found.blobKey, hash, mediaType }
      }),
    refer: (conversationKey, { blobKey, mediaType }) => {
      refer.run(conversationKey, blobKey, mediaType)
    },
    use(conversationId, named, uploads) {
      const blobKeys = new Map(named.map(({ hash, blobKey }) => [hash, blobKey]))
      for (const blobKey of blobKeys.values()) useMade.run(blobKey, conversationId)
      for (const { uploadId, hash } of uploads) {
        const blobKey = blobKeys.get(hash)
        if (blobKey !== undefined) useNamed.run(uploadId, blobKey)
      }
    },
    release(from, ownerId, references) {
      const blobKeys = references.flatMap(({ hash }) => find.get(ownerId, hash)?.blobKey ?? [])
      for (const blobKey of blobKeys) release.run(from.key, blobKey)
      forget.run(from.key)
      dropUnnamed(blobKeys, from)
    },
    releaseAll(from) {
      const blobKeys = ofConversation.all(from.key).map(({ blobKey }) => blobKey)
      forgetAll.run(from.key)
      dropUnnamed(blobKeys, from)
    },
    begin: (ownerId, objectId) => Number(begin.run(ownerId, objectId).lastInsertRowid),
    addPiece: (blobKey, piece, bytes) => {
      addPiece.run(blobKey, piece, crc32(bytes), bytes)
    },
    end(blobKey, { ownerId, conversationId, hash, sizeBytes, uploadId, mediaType, at }) {
      const known = find.get(ownerId, hash)
      if (known) drop(blobKey)
      else end.run(hash, sizeBytes, blobKey)
      upload.run(uploadId, ownerId, conversationId, known?.blobKey ?? blobKey, mediaType, at)
    },
    drop,
    collect(uploadedBefore) {
      const blobKeys = unnamed.all(uploadedBefore).map(({ blobKey }) => blobKey)
      for (const blobKey of blobKeys) drop(blobKey)
      return blobKeys.length
    },
    dropUnfinished() {
      for (const { blobKey } of unfinished.all()) drop(blobKey)
    },
    forgetDropped(objectIds) {
      for (const objectId of objectIds) forgetDropped.run(objectId)
    },
  }
}

/** Whether a piece is what was stored. In a damaged table a column may hold anything. */
export function isIntactPiece({ bytes, checksum }: { readonly bytes: unknown; readonly checksum: number }): boolean {
  return bytes instanceof Uint8Array && crc32(bytes) === checksum
}
