import { createHash } from 'node:crypto'
import type { BlobReference } from '../../content.ts'
import type { BlobAddress } from '../../store/blob-store.ts'
import type { EntryStore } from '../../store/entry-store.ts'
import { OWNER } from './appending.ts'

/** An upload of `OWNER`, at the time 1,000, in one piece. */
export async function upload(
  store: EntryStore,
  uploadId: string,
  content: string,
  differing: { readonly ownerId?: string; readonly at?: number; readonly conversationId?: string },
): Promise<BlobReference> {
  return store.putBlob({
    uploadId,
    ownerId: differing.ownerId ?? OWNER,
    conversationId: differing.conversationId ?? null,
    mediaType: 'text/plain',
    at: differing.at ?? 1_000,
    content: inPieces([new TextEncoder().encode(content)]),
  })
}

/** A blob's content as text, or null when there is none at the address. */
export async function readText(store: EntryStore, address: BlobAddress): Promise<string | null> {
  const blob = await store.readBlob(address)
  return blob && new TextDecoder().decode(joined(await piecesOf(blob.content)))
}

/** The pieces, one after the other. */
export async function* inPieces(pieces: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* pieces
}

/** All pieces of a content. */
export async function piecesOf(content: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece)
  return pieces
}

/** The pieces as one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let from = 0
  for (const piece of pieces) {
    whole.set(piece, from)
    from += piece.length
  }
  return whole
}

/** The address of a content, found without a store. */
export function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
