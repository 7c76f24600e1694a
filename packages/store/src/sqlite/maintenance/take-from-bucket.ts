import { crc32 } from 'node:zlib'
import type { Database } from 'better-sqlite3'
import { type BucketOptions, createBucket } from '../../bucket/bucket.ts'
import { noBucket } from '../../bucket/contents.ts'

interface InBucket {
  readonly blobKey: number
  readonly hash: string
  readonly sizeBytes: number
  readonly objectId: string
}

/**
 * Puts what a bucket has into a copy of the database, which then needs no bucket, and removes nothing from it. Of content that
 * is damaged there, what stands before the damage comes along.
 *
 * @throws {StoreReadError} when there is such content and the bucket is away, or none is set up.
 */
export async function takeFromBucket(
  copy: Database,
  { bucket: options, signal }: { readonly bucket: BucketOptions | null; readonly signal: AbortSignal },
): Promise<void> {
  const bucket = options && createBucket(options)
  const next = copy.prepare<[number], InBucket>(
    `SELECT blob_key AS blobKey, hash, size_bytes AS sizeBytes, object_id AS objectId
     FROM blobs WHERE blob_key > ? AND hash IS NOT NULL AND object_id IS NOT NULL ORDER BY blob_key LIMIT 1`,
  )
  const addPiece = copy.prepare<[number, number, number, Uint8Array]>(
    'INSERT INTO blob_pieces (blob_key, piece, checksum, bytes) VALUES (?, ?, ?, ?)',
  )
  for (let blob = next.get(0); blob; blob = next.get(blob.blobKey)) {
    const { blobKey, hash, sizeBytes, objectId } = blob
    if (!bucket) throw noBucket(hash)
    let foundBytes = 0
    for (let piece = 0; foundBytes < sizeBytes; piece++) {
      signal.throwIfAborted()
      const bytes = await bucket.read({ objectId, piece })
      if (bytes === null) break
      foundBytes += bytes.length
      addPiece.run(blobKey, piece, crc32(bytes), bytes)
    }
  }
  copy.exec('UPDATE blobs SET object_id = NULL; DELETE FROM dropped_objects')
}
