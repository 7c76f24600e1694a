import { createHash, randomUUID } from 'node:crypto'
import {
  type BlobStore,
  DamagedBlobError,
  type StoredBlob,
  StoreReadError,
  StoreWriteError,
  type Upload,
} from '@holdfast/conversation'
import type { Bucket } from '../bucket/bucket.ts'
import { noBucket, readContent, writeContent } from '../bucket/contents.ts'
import type { BlobRow, FoundBlob } from './messages/operations.ts'
import type { StoreThreads } from './sqlite-log.ts'

/** Size of the pieces in which a blob is stored. */
const PIECE_BYTES = 256 * 1024

/** How many objects are removed between two looks at what is left. */
const DROPPED_AT_ONCE = 100

/** The blobs of a store, and what is left of them in its bucket. */
export interface SqliteBlobs extends BlobStore {
  /** Removes from the bucket what nothing names any more, if it can be reached; otherwise the next collection does. [LOG33] */
  removeDroppedIfReached(): Promise<void>
}

/** The blobs: content goes to the bucket, or to the threads, and comes from there in pieces, one at a time. */
export function createSqliteBlobs({ writer, reader }: StoreThreads, bucket: Bucket | null): SqliteBlobs {
  /** Ids never come again: however often an object is removed, nothing that is named goes. */
  const removeDropped = async (from: Bucket): Promise<void> => {
    for (;;) {
      const objectIds = await reader.call('droppedObjects', { limit: DROPPED_AT_ONCE })
      for (const objectId of objectIds) await from.remove(objectId)
      await writer.call('forgetDropped', { objectIds })
      if (objectIds.length < DROPPED_AT_ONCE) return
    }
  }
  const removeDroppedIfReached = async (): Promise<void> => {
    if (!bucket) return
    try {
      await removeDropped(bucket)
    } catch (error) {
      if (!(error instanceof StoreWriteError || error instanceof StoreReadError)) throw error
    }
  }
  async function* contentOf({ objectId, whole, ...row }: FoundBlob): AsyncGenerator<Uint8Array> {
    if (objectId === null)
      yield* piecesOf(row, async (piece) =>
        piece === 0 && whole !== null ? whole : reader.call('readBlobPiece', { blobKey: row.blobKey, piece }),
      )
    else if (bucket) yield* readContent(bucket, { ...row, objectId })
    else throw noBucket(row.hash)
  }

  return {
    removeDroppedIfReached,
    async putBlob({ content, ...upload }) {
      const objectId = bucket ? randomUUID() : null
      const blobKey = await writer.call('beginBlob', { ownerId: upload.ownerId, objectId })
      try {
        const { hash, sizeBytes } =
          bucket && objectId !== null
            ? await writeContent(bucket, { objectId, content })
            : await storePieces(content, (piece, bytes) => writer.call('addBlobPiece', { blobKey, piece, bytes }))
        await writer.call('endBlob', { ...upload, blobKey, hash, sizeBytes })
        await removeDroppedIfReached()
        return { hash, sizeBytes, mediaType: upload.mediaType }
      } catch (error) {
        // What cannot be dropped now is dropped at the next start.
        await writer.call('dropBlob', { blobKey }).catch(() => undefined)
        await removeDroppedIfReached()
        throw error
      }
    },

    async readBlob(address): Promise<StoredBlob | null> {
      const row = await reader.call('findBlob', address)
      if (!row) return null
      const { hash, sizeBytes, mediaType } = row
      return { reference: { hash, sizeBytes, mediaType }, content: contentOf(row) }
    },

    async collectBlobs(uploadedBefore) {
      const count = await writer.call('collectBlobs', { uploadedBefore })
      if (bucket) await removeDropped(bucket)
      return count
    },
    storedBytes: (ownerId) => reader.call('storedBytes', { ownerId }),
  }
}

async function storePieces(
  content: Upload['content'],
  store: (piece: number, bytes: Uint8Array) => Promise<unknown>,
): Promise<{ readonly hash: string; readonly sizeBytes: number }> {
  const sum = createHash('sha256')
  let sizeBytes = 0
  let pieces = 0
  let gathered: Uint8Array[] = []
  let gatheredBytes = 0
  const flush = async () => {
    if (gatheredBytes === 0) return
    const bytes = Buffer.concat(gathered)
    gathered = []
    gatheredBytes = 0
    await store(pieces, bytes)
    pieces += 1
  }
  for await (const given of content) {
    for (let from = 0; from < given.length; ) {
      const part = given.slice(from, from + PIECE_BYTES - gatheredBytes)
      from += part.length
      sum.update(part)
      sizeBytes += part.length
      gathered.push(part)
      gatheredBytes += part.length
      if (gatheredBytes === PIECE_BYTES) await flush()
    }
  }
  await flush()
  return { hash: sum.digest('hex'), sizeBytes }
}

/** Each piece has a checksum of its own, so that nothing damaged is ever given out; the hash is looked at too. */
async function* piecesOf(
  { hash, sizeBytes }: Pick<BlobRow, 'hash' | 'sizeBytes'>,
  readPiece: (piece: number) => Promise<Uint8Array | null>,
): AsyncIterable<Uint8Array> {
  const sum = createHash('sha256')
  let readBytes = 0
  for (let piece = 0; readBytes < sizeBytes; piece++) {
    const bytes = await readPiece(piece)
    if (bytes === null || bytes.length === 0) throw new DamagedBlobError(hash)
    sum.update(bytes)
    readBytes += bytes.length
    yield bytes
  }
  if (readBytes !== sizeBytes || sum.digest('hex') !== hash) throw new DamagedBlobError(hash)
}
