import type { BlobReference } from '@holdfast/conversation'

/** Keeps bodies that are too large for the log. [WIN6] */
export interface BlobSink {
  /**
   * Keeps the content and says how it is reached. An implementer reads it piece by piece and holds no more than
   * a piece; it ends by itself or when the signal fires, and then nothing is kept.
   *
   * @throws when it could not be kept; the call then has its excerpt only, and says so.
   */
  keep(
    content: AsyncIterable<Uint8Array>,
    options: { readonly mediaType: string; readonly signal: AbortSignal },
  ): Promise<BlobReference>
}
