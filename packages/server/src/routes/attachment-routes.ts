import { Readable } from 'node:stream'
import { routes } from '@holdfast/protocol'
import type { FastifyRequest } from 'fastify'
import { type BindDeps, bindRoute, TAKEN_OVER } from '../door/bind-route.ts'
import type { Attachments } from '../parts/attachments.ts'
import { RefusedError } from '../parts/to-problem.ts'
import { type ByteRange, rangeOf } from './reading/byte-range.ts'

/** What the routes of attachments need. */
export interface AttachmentRoutesDeps extends BindDeps {
  readonly attachments: Attachments
}

/** Serves uploads and what was uploaded. */
export function bindAttachments({ attachments, ...deps }: AttachmentRoutesDeps): void {
  bindRoute(deps, routes.upload, async ({ request, query, userId, answer }) => {
    const part = await fileOf(request)
    const kept = await attachments.keep(userId, {
      name: query.name ?? part.filename,
      mediaType: part.mimetype,
      content: contentOf(part.file),
      isTruncated: () => part.file.truncated,
    })
    return answer(201, kept)
  })

  bindRoute(deps, routes.download, async ({ params: { attachmentId }, userId, request, reply }) => {
    const { attachment, blob } = await attachments.open(userId, attachmentId)
    const { mediaType, sizeBytes } = attachment
    const isShown = attachment.type === 'image' || /^(?:audio|video)\/[\w.+-]+$/.test(mediaType)
    const place = isShown ? 'inline' : 'attachment'
    const range = rangeOf(request.headers.range, sizeBytes)
    await reply
      .code(range === null ? 200 : 206)
      .headers({
        'cache-control': 'private, no-store',
        'accept-ranges': 'bytes',
        ...(range === null ? {} : { 'content-range': `bytes ${range.from}-${range.to}/${sizeBytes}` }),
        'content-type': isShown ? mediaType : 'application/octet-stream',
        'content-length': range === null ? sizeBytes : range.to - range.from + 1,
        'content-disposition': `${place}; filename*=UTF-8''${encodeURIComponent(attachment.name)}`,
      })
      .send(Readable.from(range === null ? blob.content : bytesIn(blob.content, range)))
    return TAKEN_OVER
  })

  bindRoute(deps, routes.readAttachmentTokens, async ({ params: { attachmentId }, query, userId, answer }) =>
    answer(200, { tokens: await attachments.tokens(userId, attachmentId, query.modelId ?? '') }),
  )
}

async function* bytesIn(content: AsyncIterable<Uint8Array>, { from, to }: ByteRange): AsyncIterable<Uint8Array> {
  let at = 0
  for await (const piece of content) {
    const start = at
    at += piece.byteLength
    if (at > from) yield piece.subarray(Math.max(0, from - start), to + 1 - start)
    if (at > to) return
  }
}

/** The one file of a form. @throws {RefusedError} */
async function fileOf(request: FastifyRequest) {
  if (!request.isMultipart())
    throw new RefusedError(415, 'unsupported-media-type', 'An attachment is sent as multipart/form-data')
  const part = await request.file().catch((error: unknown) => {
    throw formProblem(error)
  })
  if (!part) throw new RefusedError(400, 'bad-request', 'The form has no file')
  return part
}

/** The bytes of the file, as they arrive. @throws {RefusedError} when the form ends or breaks inside it. */
async function* contentOf(file: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    for await (const piece of file) yield piece
  } catch (error) {
    throw formProblem(error)
  }
}

/** What the parser of forms says of bytes that are no form. Errors with a status are the HTTP server's own. */
function formProblem(error: unknown): unknown {
  if (!(error instanceof Error) || 'statusCode' in error) return error
  return new RefusedError(400, 'bad-request', `The form cannot be read: ${error.message}`)
}
