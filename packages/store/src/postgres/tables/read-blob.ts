import { createHash } from 'node:crypto'
import {
  type BlobAddress,
  type BlobReference,
  DamagedBlobError,
  type StoredBlob,
  type StoredBytes,
  StoreReadError,
} from '@holdfast/conversation'
import { type BucketContent, noBucket, readContent } from '../../bucket/contents.ts'
import type { Database } from '../connection/database.ts'
import type { ContentPlace } from './content-place.ts'

const UPLOADED = `
  SELECT b.hash, b.size_bytes AS "sizeBytes", u.media_type AS "mediaType", b.content_id AS "contentId",
    b.object_id AS "objectId"
  FROM holdfast.uploads u JOIN holdfast.blobs b ON b.owner_id = u.owner_id AND b.hash = u.hash
  WHERE u.upload_id = $1 AND u.owner_id = $2`

const NAMED = `
  SELECT b.hash, b.size_bytes AS "sizeBytes", b.media_type AS "mediaType", b.content_id AS "contentId",
    b.object_id AS "objectId", r.hash AS "namedHash"
  FROM holdfast.blob_references r LEFT JOIN holdfast.blobs b ON b.owner_id = r.owner_id AND b.hash = r.hash
  WHERE r.conversation_id = $1 AND r.hash = $2 LIMIT 1`

const PIECE = 'SELECT bytes FROM holdfast.content_pieces WHERE content_id = $1 AND piece = $2'

const STILL_THERE = 'SELECT 1 FROM holdfast.blobs WHERE content_id = $1'

const STORED = `
  SELECT coalesce(sum(size_bytes) FILTER (WHERE owner_id = $1), 0)::bigint AS "ofOwner",
    coalesce(sum(size_bytes), 0)::bigint AS "inAll"
  FROM holdfast.blobs`

/** How much is kept. */
export async function storedBytes(database: Database, ownerId: string): Promise<StoredBytes> {
  const rows = await database.read((sql) => sql<StoredBytes>(STORED, [ownerId]))
  return rows[0] ?? { ofOwner: 0, inAll: 0 }
}

/** A blob and where its bytes are. */
export interface BlobRow extends BlobReference {
  readonly contentId: number
  /** Its object in the bucket; null where it is in the database. */
  readonly objectId: string | null
}

/** The blob at an address, if the address gives a right to it. [LOG11] */
export async function readBlob(place: ContentPlace, address: BlobAddress): Promise<StoredBlob | null> {
  const { database } = place
  const blob = 'uploadId' in address ? await uploaded(database, address) : await named(database, address)
  if (!blob) return null
  const { hash, sizeBytes, mediaType } = blob
  return { reference: { hash, sizeBytes, mediaType }, content: contentOf(place, blob) }
}

async function uploaded(
  database: Database,
  { uploadId, ownerId }: { uploadId: string; ownerId: string },
): Promise<BlobRow | null> {
  const rows = await database.read((sql) => sql<BlobRow>(UPLOADED, [uploadId, ownerId]))
  return rows[0] ?? null
}

async function named(
  database: Database,
  { conversationId, hash }: { conversationId: string; hash: string },
): Promise<BlobRow | null> {
  const rows = await database.read((sql) =>
    sql<BlobRow & { hash: string | null; namedHash: string }>(NAMED, [conversationId, hash]),
  )
  const [row] = rows
  if (row && row.hash === null) throw new DamagedBlobError(row.namedHash)
  return row ?? null
}

/** The content of a blob, wherever it is, checked as it is read. @throws {DamagedBlobError} when it is not what was stored. */
export function contentOf(
  { database, bucket }: ContentPlace,
  { objectId, ...blob }: Omit<BlobRow, 'mediaType'>,
): AsyncGenerator<Uint8Array> {
  return objectId === null
    ? contentInDatabase(database, blob)
    : contentInBucket({ database, bucket }, { ...blob, objectId })
}

async function* contentInBucket(
  { database, bucket }: ContentPlace,
  { contentId, ...content }: BucketContent & { readonly contentId: number },
): AsyncGenerator<Uint8Array> {
  if (!bucket) throw noBucket(content.hash)
  try {
    yield* readContent(bucket, content)
  } catch (error) {
    if (error instanceof DamagedBlobError && (await isGone(database, contentId))) throw deletedMeanwhile(content.hash)
    throw error
  }
}

/** The pieces in their order. The last is given out once all of them have been found to be what was stored. [LOG7] */
async function* contentInDatabase(
  database: Database,
  { hash, sizeBytes, contentId }: Pick<BlobRow, 'hash' | 'sizeBytes' | 'contentId'>,
): AsyncGenerator<Uint8Array> {
  const found = createHash('sha256')
  let held: Buffer | null = null
  let foundBytes = 0
  for (let piece = 0; foundBytes < sizeBytes; piece++) {
    const bytes = await pieceOf(database, { contentId, piece })
    if (!bytes) break
    found.update(bytes)
    foundBytes += bytes.length
    if (held) yield held
    held = bytes
  }
  if (found.digest('hex') !== hash) {
    if (await isGone(database, contentId)) throw deletedMeanwhile(hash)
    throw new DamagedBlobError(hash)
  }
  if (held) yield held
}

function deletedMeanwhile(hash: string): StoreReadError {
  return new StoreReadError(`Blob ${hash} was deleted while it was being read`)
}

async function pieceOf(
  database: Database,
  { contentId, piece }: { contentId: number; piece: number },
): Promise<Buffer | null> {
  const rows = await database.read((sql) => sql<{ bytes: Buffer }>(PIECE, [contentId, piece]))
  return rows[0]?.bytes ?? null
}

async function isGone(database: Database, contentId: number): Promise<boolean> {
  const rows = await database.read((sql) => sql(STILL_THERE, [contentId]))
  return rows.length === 0
}
