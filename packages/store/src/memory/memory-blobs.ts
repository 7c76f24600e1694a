import { createHash } from 'node:crypto'
import {
  type BlobAddress,
  type BlobReference,
  blobsOf,
  DamagedBlobError,
  type Entry,
  type StoredBlob,
  type StoredBytes,
  UPLOAD_KEPT_MS,
  type Upload,
  uploadsOf,
} from '@holdfast/conversation'
import type { MemoryBlob, MemoryData } from './memory-data.ts'

/** Size of the pieces in which a blob is read. */
const PIECE_BYTES = 64 * 1024

/** What is known of an upload once its content has arrived. */
export type WholeUpload = Omit<Upload, 'content'> & { readonly content: Uint8Array }

/** Where the bytes of an owner are kept. One owner's content is not another's. [LOG11] */
export function blobKey(ownerId: string, hash: string): string {
  return JSON.stringify([ownerId, hash])
}

/** Waits for all of the content. A memory store has nowhere else to put it. */
export async function wholeContent(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(Uint8Array.from(piece))
  return Uint8Array.from(Buffer.concat(pieces))
}

/** Keeps the content once for its owner, and the upload that names it. */
export function keepUpload(data: MemoryData, upload: WholeUpload): BlobReference {
  const { uploadId, ownerId, conversationId, mediaType, content, at } = upload
  const hash = hashOf(content)
  const key = blobKey(ownerId, hash)
  const known = data.blobs.get(key)
  const uploadedAt = Math.max(at, known?.uploadedAt ?? at)
  data.blobs.set(key, known ? { ...known, uploadedAt } : { ownerId, hash, mediaType, content, uploadedAt })
  data.uploads.set(uploadId, { ownerId, conversationId, hash, mediaType, at, isUsed: false })
  return { hash, sizeBytes: content.length, mediaType }
}

/** The blob at an address, if the address gives a right to it. [LOG11] */
export function findBlob(data: MemoryData, address: BlobAddress): StoredBlob | null {
  const found = 'uploadId' in address ? uploaded(data, address) : named(data, address)
  if (!found) return null
  const { hash, mediaType, content } = found
  return { reference: { hash, sizeBytes: content.length, mediaType }, content: pieces(found) }
}

/** Deletes what no entry names and nobody has uploaded since `uploadedBefore`; answers with how many went. */
export function collectBlobs(data: MemoryData, uploadedBefore: number): number {
  const old = [...data.blobs.values()].filter((blob) => blob.uploadedAt < uploadedBefore && !isNamed(data, blob))
  for (const blob of old) deleteBlob(data, blob)
  return old.length
}

/** How much is kept. */
export function storedBytes(data: MemoryData, ownerId: string): StoredBytes {
  const blobs = [...data.blobs.values()]
  const sum = (some: readonly MemoryBlob[]): number => some.reduce((bytes, { content }) => bytes + content.length, 0)
  return { ofOwner: sum(blobs.filter((blob) => blob.ownerId === ownerId)), inAll: sum(blobs) }
}

/** Marks the uploads that an entry of this log names, by their ids or as made for its conversation. [LOG11] */
export function useUploads(data: MemoryData, ownerId: string, entry: Entry): void {
  const named = new Map(uploadsOf(entry).map(({ uploadId, hash }) => [uploadId, hash]))
  const hashes = new Set(blobsOf(entry).map(({ hash }) => hash))
  for (const [uploadId, upload] of data.uploads) {
    if (upload.ownerId !== ownerId || !hashes.has(upload.hash)) continue
    if (upload.conversationId === entry.conversationId || named.get(uploadId) === upload.hash) upload.isUsed = true
  }
}

/** Which content goes, of whom, with what was said in which conversation, and when. */
export interface Dropped {
  readonly ownerId: string
  readonly hash: string
  readonly conversationId: string
  readonly at: number
}

/** Deletes the content unless an entry names it, or an upload for elsewhere waits to be named. */
export function dropUnnamed(data: MemoryData, { ownerId, hash, conversationId, at }: Dropped): void {
  const blob = data.blobs.get(blobKey(ownerId, hash))
  const isAwaited = [...data.uploads.values()].some(
    (upload) =>
      upload.ownerId === ownerId &&
      upload.hash === hash &&
      upload.conversationId !== conversationId &&
      !upload.isUsed &&
      upload.at >= at - UPLOAD_KEPT_MS,
  )
  if (blob && !isAwaited && !isNamed(data, blob)) deleteBlob(data, blob)
}

function isNamed(data: MemoryData, { ownerId, hash }: MemoryBlob): boolean {
  return [...data.logs.values()].some((log) => log.ownerId === ownerId && log.blobCounts.has(hash))
}

function deleteBlob(data: MemoryData, { ownerId, hash }: MemoryBlob): void {
  data.blobs.delete(blobKey(ownerId, hash))
  for (const [uploadId, upload] of data.uploads) {
    if (upload.ownerId === ownerId && upload.hash === hash) data.uploads.delete(uploadId)
  }
}

function uploaded(
  data: MemoryData,
  { uploadId, ownerId }: { uploadId: string; ownerId: string },
): MemoryBlob | undefined {
  const upload = data.uploads.get(uploadId)
  if (upload?.ownerId !== ownerId) return undefined
  const blob = data.blobs.get(blobKey(ownerId, upload.hash))
  return blob && { ...blob, mediaType: upload.mediaType }
}

function named(
  data: MemoryData,
  { conversationId, hash }: { conversationId: string; hash: string },
): MemoryBlob | undefined {
  const log = data.logs.get(conversationId)
  return log?.blobCounts.has(hash) ? data.blobs.get(blobKey(log.ownerId, hash)) : undefined
}

async function* pieces({ hash, content }: MemoryBlob): AsyncIterable<Uint8Array> {
  if (hashOf(content) !== hash) throw new DamagedBlobError(hash)
  for (let from = 0; from < content.length; from += PIECE_BYTES) yield content.slice(from, from + PIECE_BYTES)
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
