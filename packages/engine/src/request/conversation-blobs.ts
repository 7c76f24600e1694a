import { type BlobStore, DamagedBlobError } from '@holdfast/conversation'
import { type BlobSource, ProviderError } from '@holdfast/provider'

/** The bodies that a request of a conversation may name: those that its own log names, and no others. [LOG11] */
export function conversationBlobs(store: Pick<BlobStore, 'readBlob'>, conversationId: string): BlobSource {
  return {
    async read(hash) {
      const stored = await store.readBlob({ conversationId, hash })
      if (stored === null)
        throw unreadable(`The request names body ${hash}, and its conversation has none of that name`)
      try {
        return await joined(stored.content)
      } catch (error) {
        if (!(error instanceof DamagedBlobError)) throw error
        throw unreadable(error.message)
      }
    },
  }
}

/** Ends the run with its reason, as what a provider refuses does. */
function unreadable(message: string): ProviderError {
  return new ProviderError('bad-request', message, {})
}

async function joined(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let sizeBytes = 0
  for await (const piece of content) {
    pieces.push(piece)
    sizeBytes += piece.byteLength
  }
  const whole = new Uint8Array(sizeBytes)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}
