import type { BlobSource } from './blob-source.ts'
import type { ModelRequest, RequestMessage } from './model-port.ts'

/** The bodies of a request in base64, by hash. What encodes takes them ready, and so stays pure. [REQ1] */
export type RequestBlobs = ReadonlyMap<string, string>

/** Reads every body that the request names, each once. */
export async function readBlobs(request: ModelRequest, source: BlobSource): Promise<RequestBlobs> {
  const hashes = new Set(request.messages.flatMap(hashesOf))
  const bodies = new Map<string, string>()
  for (const hash of hashes) bodies.set(hash, Buffer.from(await source.read(hash)).toString('base64'))
  return bodies
}

/** The body of a blob that `readBlobs` has read. */
export function bodyOf(blobs: RequestBlobs, hash: string): string {
  const body = blobs.get(hash)
  if (body === undefined) throw new Error(`Blob ${hash} was not read before the request was written`)
  return body
}

function hashesOf(message: RequestMessage): string[] {
  if (message.role === 'assistant') return []
  const parts = message.role === 'user' ? message.parts : message.content
  return parts.flatMap((part) => (part.type === 'image' || part.type === 'file' ? [part.blob.hash] : []))
}
