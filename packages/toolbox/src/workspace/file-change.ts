import type { BlobReference, NotKept } from '@holdfast/conversation'
import type { BlobSink } from '@holdfast/tool'

/** One file that was really written, moved or deleted, as the log notes it. */
export interface FileChange {
  /** From the root of the workspace, with forward slashes. */
  readonly path: string
  readonly kind: 'created' | 'changed' | 'deleted'
  /** Absent for a file. The body of a link is where it leads; a folder has none. */
  readonly entity?: 'folder' | 'link'
  /** What stood there; absent for a file that was created. */
  readonly before?: BlobReference
  /** What stands there; absent for a file that was deleted. */
  readonly after?: BlobReference
  /** Rights, as the system counts them. */
  readonly modeBefore?: number
  readonly modeAfter?: number
  /** Why a body is missing. */
  readonly notKept?: NotKept
  /** Present where no tool told it, and it was seen around a call instead. */
  readonly seen?: 'alone' | 'with-others'
}

/** Where changes of files go. */
export interface FileChangePorts {
  /** Keeps what was before and what comes after. When it cannot, nothing is changed. */
  readonly blobSink: BlobSink
  /**
   * Called after files were really changed, and awaited: the place to note `files-changed`. An implementer must
   * not refuse; one that throws makes the call an error, with the change done.
   */
  readonly onChanged: (changes: readonly FileChange[], about: { readonly callId: string }) => Promise<void>
}

/** A call that changes files. */
export interface ChangingCall {
  readonly callId: string
  readonly signal: AbortSignal
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
