import type { BlobSink } from '@holdfast/tool'
import type { EnginePorts } from '../api/ports.ts'

/** Keeps what is too large for the log in the store, for a conversation and its owner. [WIN6, LOG11] */
export function storeBlobSink(
  { store, ids, clock }: Pick<EnginePorts, 'store' | 'ids' | 'clock'>,
  { conversationId, ownerId }: { readonly conversationId: string; readonly ownerId: string },
): BlobSink {
  return {
    keep: (content, { mediaType, signal }) =>
      store.putBlob({
        uploadId: ids.next('upload'),
        ownerId,
        conversationId,
        mediaType,
        at: clock.now(),
        content: endsWith(content, signal),
      }),
  }
}

async function* endsWith(content: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    signal.throwIfAborted()
    yield piece
  }
}
