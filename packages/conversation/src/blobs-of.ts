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

function inPart(part: { readonly type: string; readonly blob?: BlobReference }): BlobReference[] {
  return part.blob ? [part.blob] : []
}
