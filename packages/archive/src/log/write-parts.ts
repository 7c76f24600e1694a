import { type InputPart, PICTURE_TYPES, type ToolResultPart } from '@holdfast/conversation'
import type { NoteSkip } from '../import/skip.ts'
import type { ArchiveBlobs } from './archive-blobs.ts'
import type { SourceIds } from './ids-of.ts'
import type { SourcePart } from './source-event.ts'

/** What parts are written with. */
export interface PartsContext {
  readonly ids: SourceIds
  readonly blobs: ArchiveBlobs
  readonly note: NoteSkip
}

/** The parts of an input; attachments become blobs. */
export async function inputParts(parts: readonly SourcePart[], context: PartsContext): Promise<InputPart[]> {
  const written: InputPart[] = []
  for (const part of parts) {
    if (part.type === 'text') written.push({ type: 'text', text: part.text.toWellFormed() })
    else written.push(...(await attachment(part, context)))
  }
  return written
}

/** The parts of a tool's result; files other than pictures are named, since a result holds words and pictures. */
export async function resultParts(parts: readonly SourcePart[], context: PartsContext): Promise<ToolResultPart[]> {
  const written: ToolResultPart[] = []
  for (const part of parts) {
    if (part.type === 'text') written.push({ type: 'text', text: part.text.toWellFormed() })
    else if (PICTURE_TYPES.has(part.mediaType)) {
      for (const put of await attachment(part, context)) if (put.type === 'image') written.push(put)
    } else {
      context.note({ reason: 'unknown-kind', what: `A file of type ${part.mediaType} in a tool's result` })
      written.push({ type: 'text', text: `[A file of type ${part.mediaType} that was not imported]` })
    }
  }
  return written
}

/** Base64 with or without padding, in either alphabet. */
const BASE64 = /^[A-Za-z0-9+/_\s-]+(?:={1,2}\s*)?$/

async function attachment(
  part: Extract<SourcePart, { type: 'data' }>,
  { ids, blobs, note }: PartsContext,
): Promise<InputPart[]> {
  const attachmentId = ids.next('upload')
  const content = BASE64.test(part.base64) ? Buffer.from(part.base64, 'base64') : Buffer.alloc(0)
  if (content.length === 0) {
    note({ reason: 'damaged-attachment', what: `An attachment of type ${part.mediaType} is not base64` })
    return [{ type: 'text', text: `[An attachment of type ${part.mediaType} that could not be read]` }]
  }
  const blob = await blobs.put({
    uploadId: attachmentId,
    conversationId: ids.conversationId,
    mediaType: part.mediaType,
    content,
  })
  const name = part.name?.toWellFormed()
  if (PICTURE_TYPES.has(part.mediaType))
    return [{ type: 'image', attachmentId, blob, ...(name === undefined ? {} : { name }) }]
  return [{ type: 'file', attachmentId, blob, name: name ?? 'attachment' }]
}
