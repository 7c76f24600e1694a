import type { BlobReference } from '@holdfast/conversation'
import type { BlobSink, FileChange } from '@holdfast/tool'

/** Where changes of files go. */
export interface FileChangePorts {
  /** Keeps what was before and what comes after. When it cannot, nothing is changed. */
  readonly blobSink: BlobSink
  /** Told of what was really changed, right after it was; must not throw. */
  readonly onChanged: (changes: readonly FileChange[]) => void
}

/** A call that changes files. */
export interface ChangingCall {
  readonly signal: AbortSignal
}

/** Ports and call of a change. */
export interface Changing {
  readonly ports: FileChangePorts
  readonly call: ChangingCall
}

/** Keeps bytes as a blob. */
export function keepBytes(
  bytes: Uint8Array,
  { blobSink, signal }: { readonly blobSink: BlobSink; readonly signal: AbortSignal },
): Promise<BlobReference> {
  return blobSink.keep(onePiece(bytes), { mediaType: 'application/octet-stream', signal })
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
