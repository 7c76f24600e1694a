import { createHash } from 'node:crypto'
import { type BlobStore, DamagedBlobError, type StoredBlob, type Upload } from '@holdfast/conversation'
import type { BlobRow } from './messages/operations.ts'
import type { StoreThreads } from './sqlite-log.ts'

/** Size of the pieces in which a blob is stored. */
const PIECE_BYTES = 256 * 1024

/** The blobs: content goes to the threads and comes from them in pieces, one at a time. */
export function createSqliteBlobs({ writer, reader }: StoreThreads): BlobStore {
  return {
    async putBlob({ content, ...upload }) {
      const blobKey = await writer.call('beginBlob', { ownerId: upload.ownerId })
      try {
        const { hash, sizeBytes } = await storePieces(content, (piece, bytes) =>
          writer.call('addBlobPiece', { blobKey, piece, bytes }),
        )
        await writer.call('endBlob', { ...upload, blobKey, hash, sizeBytes })
        return { hash, sizeBytes, mediaType: upload.mediaType }
      } catch (error) {
        // What cannot be dropped now is dropped at the next start.
        await writer.call('dropBlob', { blobKey }).catch(() => undefined)
        throw error
      }
    },

    async readBlob(address): Promise<StoredBlob | null> {
      const row = await reader.call('findBlob', address)
      if (!row) return null
      const { hash, sizeBytes, mediaType } = row
      const readPiece = (piece: number) => reader.call('readBlobPiece', { blobKey: row.blobKey, piece })
      return { reference: { hash, sizeBytes, mediaType }, content: piecesOf(row, readPiece) }
    },

    collectBlobs: (uploadedBefore) => writer.call('collectBlobs', { uploadedBefore }),
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
  { hash, sizeBytes }: BlobRow,
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
