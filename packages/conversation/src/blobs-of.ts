import type { BlobReference } from './content.ts'
import type { Entry, NewEntry } from './entry.ts'

/** The blobs that an entry names; they are counted in the transaction that appends it. [LOG11] */
export function blobsOf(entry: NewEntry | Entry): BlobReference[] {
  switch (entry.type) {
    case 'input-admitted':
    case 'user-message-sent':
      return entry.content.flatMap(inPart)
    case 'input-changed':
      return (entry.content ?? []).flatMap(inPart)
    case 'tool-call-settled':
      return [...entry.content.flatMap(inPart), ...(entry.blob ? [entry.blob] : [])]
    case 'tool-result-late':
      return entry.content.flatMap(inPart)
    case 'files-changed':
      return entry.changes.flatMap(({ before, after }) => [before, after].filter((blob) => blob !== undefined))
    default:
      return []
  }
}

/** The uploads that an entry names by their ids, each with the hash of its blob. [LOG11] */
export function uploadsOf(entry: NewEntry | Entry): NamedUpload[] {
  switch (entry.type) {
    case 'input-admitted':
    case 'user-message-sent':
    case 'tool-call-settled':
    case 'tool-result-late':
      return entry.content.flatMap(ofPart)
    case 'input-changed':
      return (entry.content ?? []).flatMap(ofPart)
    default:
      return []
  }
}

/** An upload that an entry names. */
export interface NamedUpload {
  readonly uploadId: string
  readonly hash: string
}

function ofPart(part: {
  readonly type: string
  readonly attachmentId?: string
  readonly blob?: BlobReference
}): NamedUpload[] {
  return part.attachmentId !== undefined && part.blob ? [{ uploadId: part.attachmentId, hash: part.blob.hash }] : []
}

function inPart(part: { readonly type: string; readonly blob?: BlobReference }): BlobReference[] {
  return part.blob ? [part.blob] : []
}
