import type { BlobReference } from '../content.ts'

/** How long an upload that no entry names is kept, in milliseconds. [LOG11] */
export const UPLOAD_KEPT_MS = 24 * 60 * 60 * 1_000

/** Bytes to keep. */
export interface Upload {
  readonly uploadId: string
  readonly ownerId: string
  /** The conversation that it was made for, such as by a tool; null where its owner may send it in any, by its id. */
  readonly conversationId: string | null
  readonly mediaType: string
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  readonly content: AsyncIterable<Uint8Array>
}

/** How a blob is reached: by the conversation that names it or by its upload, never by its hash alone. [LOG11] */
export type BlobAddress =
  | { readonly conversationId: string; readonly hash: string }
  | { readonly uploadId: string; readonly ownerId: string }

/** Bodies that are too big for the log, addressed by their content. [LOG11] */
export interface BlobStore {
  /**
   * Stores the content piece by piece, in bounded memory. The same content of the same owner is kept once.
   *
   * The upload is *used* by the first append that names it: by its id, or by its hash in the conversation that it was made
   * for. Until then, for `UPLOAD_KEPT_MS`, neither an erasure nor a deletion in another conversation takes its content.
   *
   * @throws {StoreWriteError} when the disk or the database refused. Nothing is left of it.
   */
  putBlob(upload: Upload): Promise<BlobReference>

  /** Reads a blob piece by piece, or null when there is none at this address. */
  readBlob(address: BlobAddress): Promise<StoredBlob | null>

  /**
   * Deletes content that no entry names and that was uploaded before `uploadedBefore` (milliseconds since
   * the Unix epoch).
   *
   * @returns how many blobs went.
   */
  collectBlobs(uploadedBefore: number): Promise<number>

  /** How many bytes of content are kept, of one owner and of all. */
  storedBytes(ownerId: string): Promise<StoredBytes>
}

/** Bytes of content; the same content of one owner counts once. */
export interface StoredBytes {
  readonly ofOwner: number
  readonly inAll: number
}

/** A blob and the way to read it. */
export interface StoredBlob {
  readonly reference: BlobReference
  /** @throws {DamagedBlobError} when the content is not what was stored. */
  readonly content: AsyncIterable<Uint8Array>
}

/** A blob's content is not what its hash says. [LOG7] */
export class DamagedBlobError extends Error {
  override readonly name = 'DamagedBlobError'
  readonly code = 'damaged-blob'
  readonly hash: string

  constructor(hash: string) {
    super(`Blob ${hash} is damaged: its content has another hash. Restore it from a backup.`)
    this.hash = hash
  }
}
