import { createHash } from 'node:crypto'
import { DamagedBlobError, StoreReadError } from '@holdfast/conversation'
import type { Bucket } from './bucket.ts'

/** Size of the pieces in which a bucket keeps content: what one upload holds in memory, twice. */
const BUCKET_PIECE_BYTES = 4 * 1024 * 1024

/** What is given out at once of a piece that was read: those who read slowly hold no more. */
const PART_BYTES = 256 * 1024

/** A content in a bucket, as its row in the database has it. */
export interface BucketContent {
  readonly objectId: string
  readonly hash: string
  readonly sizeBytes: number
}

/**
 * Writes content to a bucket piece by piece; all of it is durable when this resolves.
 *
 * @throws {StoreWriteError} when the bucket refused. What is there of it is removed by whoever noted the object.
 */
export async function writeContent(
  bucket: Bucket,
  { objectId, content }: { readonly objectId: string; readonly content: AsyncIterable<Uint8Array> },
): Promise<BucketContent> {
  const sum = createHash('sha256')
  let sizeBytes = 0
  let piece = 0
  for await (const bytes of inBucketPieces(content)) {
    sum.update(bytes)
    sizeBytes += bytes.length
    await bucket.write({ objectId, piece }, bytes)
    piece += 1
  }
  return { objectId, hash: sum.digest('hex'), sizeBytes }
}

/**
 * The pieces in their order. A piece that was changed is not given out, and the last one only once the whole has been found
 * to be what was stored. [LOG7]
 *
 * @throws {DamagedBlobError} when a piece is missing, or is not what was written.
 * @throws {StoreReadError} when the bucket is away.
 */
export async function* readContent(
  bucket: Bucket,
  { objectId, hash, sizeBytes }: BucketContent,
): AsyncGenerator<Uint8Array> {
  const sum = createHash('sha256')
  let held: Uint8Array | null = null
  let foundBytes = 0
  for (let piece = 0; foundBytes < sizeBytes; piece++) {
    const bytes = await bucket.read({ objectId, piece })
    if (bytes === null || bytes.length === 0) throw new DamagedBlobError(hash)
    sum.update(bytes)
    foundBytes += bytes.length
    if (held) yield* inParts(held)
    held = bytes
  }
  if (foundBytes !== sizeBytes || sum.digest('hex') !== hash) throw new DamagedBlobError(hash)
  if (held) yield* inParts(held)
}

/** Content that was put into a bucket, read by who was told of none. */
export function noBucket(hash: string): StoreReadError {
  return new StoreReadError(
    `Blob ${hash} is in a bucket, and none is set up. Set up the bucket that it was put into, and try again`,
  )
}

function* inParts(piece: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < piece.length; from += PART_BYTES) yield piece.subarray(from, from + PART_BYTES)
}

async function* inBucketPieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  for await (const given of content) {
    for (let from = 0; from < given.length; ) {
      // A caller may fill its buffer anew before this one is written.
      const part = given.slice(from, from + BUCKET_PIECE_BYTES - heldBytes)
      from += part.length
      held.push(part)
      heldBytes += part.length
      if (heldBytes < BUCKET_PIECE_BYTES) continue
      yield Buffer.concat(held)
      held = []
      heldBytes = 0
    }
  }
  if (heldBytes > 0) yield Buffer.concat(held)
}
