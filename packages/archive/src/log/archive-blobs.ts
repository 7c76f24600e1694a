import type { BlobReference } from '@holdfast/conversation'

/**
 * Where the attachments of an import go. An implementer stores the bytes durably for the owner of the import before
 * it resolves, and may be given the same bytes again. What it rejects ends the import.
 */
export interface ArchiveBlobs {
  /** Whether the owner of the import has this content already. */
  has(hash: string): Promise<boolean>
  put(blob: {
    /** One id for the same attachment of the same source. */
    readonly uploadId: string
    /** The conversation whose entries are about to name it. */
    readonly conversationId: string
    readonly mediaType: string
    readonly content: Uint8Array
  }): Promise<BlobReference>
}
