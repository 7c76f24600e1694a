import { attachmentTokens } from '@holdfast/context'
import {
  BlobReference,
  type BlobStore,
  type Clock,
  type Ids,
  type InputPart,
  pictureTypeOf,
  pngSizeOf,
  RESOURCE_CHARS,
  type RecordKind,
  type Records,
  type StoredBlob,
} from '@holdfast/conversation'
import type { Attachment, SentPart } from '@holdfast/protocol'
import * as z from 'zod'
import type { PointedAt, PointingPerson } from './pointed-at.ts'
import { countedBy, type Storage } from './storage.ts'
import { inWords } from './storage-limits.ts'
import { RefusedError } from './to-problem.ts'

/** How long a server may take for a resource that is sent along, in milliseconds. */
const RESOURCE_MS = 30_000

/** A file on its way in. */
export interface IncomingFile {
  readonly name: string
  /** As the client says. */
  readonly mediaType: string
  readonly content: AsyncIterable<Uint8Array>
  /** Whether more came than was taken. Known at the end of the content. */
  readonly isTruncated: () => boolean
}

/** Files that users have uploaded. Each is reached by its owner alone. [LOG11, SEC1] */
export interface Attachments {
  /** @throws {RefusedError} when it is too large, or there is no room for it. [SEC16] */
  keep(userId: string, file: IncomingFile): Promise<Attachment>
  /** @throws {RefusedError} when there is none, or it is another's. */
  open(userId: string, attachmentId: string): Promise<{ readonly attachment: Attachment; readonly blob: StoredBlob }>
  /** About how many tokens it takes of a request to a model. @throws {RefusedError} when there is none, or it is another's. */
  tokens(userId: string, attachmentId: string, modelId: string): Promise<number>
  /**
   * What a client sends, with attachments as the log names them, and resources of servers, elements of the canvas and
   * what is mentioned as they are now.
   *
   * @throws {RefusedError} when one is not there, is another's, or is no picture and sent as one; for a resource that
   *   its server does not give.
   */
  resolve(person: PointingPerson, content: readonly SentPart[]): Promise<InputPart[]>
  /** Forgets the names of a user's attachments whose content is gone: erased, deleted, or never sent. [LOG9] */
  forgetGone(userId: string): Promise<void>
}

const Upload = z.object({
  name: z.string(),
  blob: BlobReference,
  /** Of a picture whose first bytes say it. */
  widthPx: z.int().positive().exactOptional(),
  heightPx: z.int().positive().exactOptional(),
})
type Upload = z.infer<typeof Upload>

/** As many names are read at once. */
const PAGE_RECORDS = 500

const ATTACHMENT = { kind: 'attachment', schema: Upload } as const satisfies RecordKind<Upload>

/** A resource that goes along with a message. */
export interface AskedResource {
  readonly userId: string
  readonly server: string
  readonly uri: string
  readonly signal: AbortSignal
}

/** What it needs. */
export interface AttachmentsDeps {
  readonly store: BlobStore
  readonly records: Records
  readonly clock: Clock
  readonly ids: Ids
  readonly storage: Storage
  /** The most that one attachment has, in bytes. */
  readonly attachmentBytes: number
  /** Reads a resource of an MCP server for a user; null where there are none. @throws {RefusedError} */
  readonly readResource: ((asked: AskedResource) => Promise<string>) | null
  readonly pointedAt: PointedAt
}

/** Keeps attachments as blobs, with their names in the records. */
export function createAttachments(deps: AttachmentsDeps): Attachments {
  const { store, records, clock, ids, storage, attachmentBytes, readResource, pointedAt } = deps

  async function find(userId: string, attachmentId: string) {
    const found = await records.get(ATTACHMENT, { ownerId: userId, id: attachmentId })
    if (!found) throw unknownAttachment(attachmentId, 404)
    return found.value
  }

  /** @throws {RefusedError} */
  async function sentUpload(userId: string, attachmentId: string) {
    const found = await records.get(ATTACHMENT, { ownerId: userId, id: attachmentId })
    if (!found) throw unknownAttachment(attachmentId, 422)
    return found.value
  }

  /** @throws {RefusedError} */
  function checkPicture(attachmentId: string, { mediaType }: BlobReference): void {
    if (mediaType.startsWith('image/')) return
    throw new RefusedError(422, 'bad-request', `Attachment ${attachmentId} is ${mediaType}; send it as a file`)
  }

  async function resolvePart(person: PointingPerson, part: SentPart): Promise<InputPart> {
    const { userId } = person
    switch (part.type) {
      case 'text':
      case 'quote':
      case 'error':
      case 'link':
        return part
      case 'canvas':
        return pointedAt.element(person, part)
      case 'mention':
        return pointedAt.mention(person, part)
      case 'element': {
        if (part.attachmentId === undefined) return part
        const { blob } = await sentUpload(userId, part.attachmentId)
        checkPicture(part.attachmentId, blob)
        return { ...part, blob }
      }
      case 'resource': {
        const { type, server, uri, name } = part
        if (!readResource)
          throw new RefusedError(422, 'unknown-mcp-server', `There is no MCP server ${server} to read ${uri} from`)
        const text = await readResource({ userId, server, uri, signal: AbortSignal.timeout(RESOURCE_MS) })
        const cut = text.length > RESOURCE_CHARS ? { cut: true as const } : {}
        return { type, server, uri, name, text: text.slice(0, RESOURCE_CHARS), ...cut }
      }
      case 'file':
      case 'image': {
        const { type, attachmentId } = part
        const { name, blob, ...pixels } = await sentUpload(userId, attachmentId)
        if (type === 'image') checkPicture(attachmentId, blob)
        return type === 'image' ? { type, attachmentId, blob, name, ...pixels } : { type, attachmentId, blob, name }
      }
    }
  }

  return {
    async keep(userId, { name, mediaType, content, isTruncated }) {
      const at = clock.now()
      const uploadId = ids.next('upload')
      const reservation = await storage.reserve(userId)
      try {
        const picture = await peeked(countedBy(reservation, content))
        const type = pictureTypeOf(picture.beginning) ?? declaredType(mediaType)
        const blob = await store.putBlob({
          uploadId,
          ownerId: userId,
          conversationId: null,
          mediaType: type,
          at,
          content: whole(picture.content, { isTruncated, attachmentBytes }),
        })
        const value = { name: cleanName(name), blob, ...pngSizeOf(picture.beginning) }
        await records.put(ATTACHMENT, { ownerId: userId, id: uploadId, revision: 0, value, at })
        return toAttachment(uploadId, value)
      } finally {
        reservation.end()
      }
    },
    async open(userId, attachmentId) {
      const value = await find(userId, attachmentId)
      const blob = await store.readBlob({ uploadId: attachmentId, ownerId: userId })
      if (!blob) throw unknownAttachment(attachmentId, 404)
      return { attachment: toAttachment(attachmentId, value), blob }
    },
    async tokens(userId, attachmentId, modelId) {
      const { name, blob, ...pixels } = await find(userId, attachmentId)
      const type = toAttachment(attachmentId, { name, blob }).type
      const part = type === 'image' ? { type, attachmentId, blob, name, ...pixels } : { type, attachmentId, blob, name }
      return attachmentTokens(part, modelId)
    },
    async forgetGone(userId) {
      for (let afterId: string | undefined; ; ) {
        const from = afterId === undefined ? {} : { afterId }
        const page = await records.list(ATTACHMENT, { ownerId: userId, limit: PAGE_RECORDS, ...from })
        for (const { id, revision } of page) {
          if (await store.readBlob({ uploadId: id, ownerId: userId })) continue
          await records.remove(ATTACHMENT, { ownerId: userId, id, revision })
        }
        afterId = page.at(-1)?.id
        if (page.length < PAGE_RECORDS) return
      }
    },
    async resolve(person, content) {
      const parts: InputPart[] = []
      for (const part of content) parts.push(await resolvePart(person, part))
      return parts
    },
  }
}

function unknownAttachment(attachmentId: string, status: 404 | 422): RefusedError {
  const words = `There is no attachment ${attachmentId}, or it was never sent and is gone after a day; upload it again`
  return new RefusedError(status, 'unknown-attachment', words)
}

function toAttachment(id: string, { name, blob }: { name: string; blob: BlobReference }): Attachment {
  const { mediaType, sizeBytes } = blob
  return { id, name, mediaType, sizeBytes, type: mediaType.startsWith('image/') ? 'image' : 'file' }
}

/** A type that says picture is believed only of bytes that begin as one. */
function declaredType(mediaType: string): string {
  const isPlain = /^[\w.+-]{1,80}\/[\w.+-]{1,80}$/.test(mediaType) && !mediaType.toLowerCase().startsWith('image/')
  return isPlain ? mediaType.toLowerCase() : 'application/octet-stream'
}

/** The last part of a name, without what a file system or a terminal reads as something else. */
function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const clean = [...last]
    .filter((character) => !/[\p{Cc}\p{Cf}]/u.test(character))
    .join('')
    .trim()
  return clean.slice(0, 200) || 'file'
}

/** Fails at its end when the file was cut, so that nothing of it is kept. */
async function* whole(
  content: AsyncIterable<Uint8Array>,
  { isTruncated, attachmentBytes }: { readonly isTruncated: () => boolean; readonly attachmentBytes: number },
): AsyncIterable<Uint8Array> {
  yield* content
  if (isTruncated()) throw new RefusedError(413, 'too-large', `An attachment has at most ${inWords(attachmentBytes)}`)
}

/** The content with its first piece looked at. */
async function peeked(content: AsyncIterable<Uint8Array>) {
  const reader = content[Symbol.asyncIterator]()
  const first = await reader.next()
  async function* again(): AsyncIterable<Uint8Array> {
    if (first.done) return
    yield first.value
    for (;;) {
      const next = await reader.next()
      if (next.done) return
      yield next.value
    }
  }
  return { beginning: first.done ? new Uint8Array() : first.value, content: again() }
}
