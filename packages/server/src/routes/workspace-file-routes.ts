import type { EntryStore, SnapshotStore } from '@holdfast/conversation'
import { type PlaceQuery, readOverview } from '@holdfast/engine'
import { type BodyOf, routes, START_WORKSPACE } from '@holdfast/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BindDeps, bindRoute, TAKEN_OVER } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { UserCommands } from '../parts/user-commands.ts'
import { rangeOf } from './reading/byte-range.ts'

/** Whose files: those of a conversation's place, or of the workspace itself. */
export interface FilesPlace extends PlaceQuery {
  readonly conversationId: string | null
}

/**
 * The files of workspaces for people. Whether they may use the place is asked each time, and nothing outside of it is
 * seen or changed, by whatever links. Everything throws {RefusedError}. [WS16, WS17, WS18]
 */
export interface WorkspaceFiles {
  list(
    place: FilesPlace,
    wish: { readonly path: string; readonly from: number; readonly limitCount: number },
  ): Promise<Readonly<BodyOf<typeof routes.readTree, 200>>>
  open(
    place: FilesPlace,
    wish: { readonly path: string; readonly range: { readonly from: number; readonly to: number } | null },
  ): Promise<OpenedContent>
  /** @throws {RefusedError} 412 `file-changed` when something else stands there than what was expected. */
  save(
    place: FilesPlace,
    wish: { readonly path: string; readonly bytes: Uint8Array; readonly expected: string | null },
    signal: AbortSignal,
  ): Promise<{ readonly path: string; readonly hash: string; readonly isNew: boolean }>
  search(place: FilesPlace, words: string, signal: AbortSignal): Promise<BodyOf<typeof routes.searchWorkspace, 200>>
  marks(place: FilesPlace): Promise<BodyOf<typeof routes.readMarks, 200>>
  wait(
    place: FilesPlace,
    wish: {
      readonly seen: readonly { readonly path: string; readonly stamp: string }[]
      readonly limitMs: number
    },
    signal: AbortSignal,
  ): Promise<BodyOf<typeof routes.watchFiles, 200>>
}

/** A file, or the piece of it that was asked for. */
export interface OpenedContent {
  readonly path: string
  readonly sizeBytes: number
  /** Of the whole; null where it is too large to be saved. */
  readonly hash: string | null
  readonly from: number
  readonly bytes: Uint8Array
}

/** What the routes about files need. */
export interface WorkspaceFileRoutesDeps extends BindDeps {
  /** Null where agents have no folders. */
  readonly files: WorkspaceFiles | null
  readonly commands: Pick<UserCommands, 'owned'>
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
}

/** What is saved at once at most, in bytes. */
const LARGEST_BYTES = 16 << 20

/** Serves the files of workspaces. */
export function bindWorkspaceFiles({ files, commands, store, app, ...rest }: WorkspaceFileRoutesDeps): void {
  const deps = { ...rest, app }

  function kept(): WorkspaceFiles {
    if (files) return files
    throw new RefusedError(404, 'unknown-workspace', 'This server keeps no workspaces')
  }

  /** @throws {RefusedError} for a conversation of somebody else, or one that works elsewhere. */
  async function placeOf(asked: {
    readonly userId: string
    readonly workspaceId: string
    readonly conversationId: string | undefined
  }): Promise<FilesPlace> {
    const { userId: ownerId, workspaceId, conversationId } = asked
    if (conversationId === undefined) return { ownerId, conversationId: null, settings: { workspaceId } }
    await commands.owned(ownerId, conversationId)
    const { settings } = (await readOverview(store, conversationId)).state
    if ((settings.workspaceId ?? START_WORKSPACE) === workspaceId) return { ownerId, conversationId, settings }
    throw new RefusedError(
      404,
      'unknown-workspace',
      `Conversation ${conversationId} works in another workspace than ${workspaceId}`,
    )
  }

  bindRoute(deps, routes.readTree, async ({ params, query, userId, answer }) => {
    const { path, from, limit: limitCount, conversationId } = query
    const place = await placeOf({ ...params, userId, conversationId })
    return answer(200, await kept().list(place, { path, from, limitCount }))
  })

  bindRoute(deps, routes.readMarks, async ({ params, query: { conversationId }, userId, answer }) =>
    answer(200, await kept().marks(await placeOf({ ...params, userId, conversationId }))),
  )

  bindRoute(deps, routes.readFile, async ({ params, query: { path, conversationId }, userId, request, reply }) => {
    const place = await placeOf({ ...params, userId, conversationId })
    const asked = request.headers.range ?? ''
    // A range counted from the end asks for a size that is not known here: all is given.
    const range = /^bytes=\d/.test(asked) ? rangeOf(asked, Number.MAX_SAFE_INTEGER) : null
    const piece = await kept().open(place, { path, range })
    const isPart = range !== null && piece.bytes.byteLength > 0
    // Beyond the end there is nothing to give.
    const isAll = range === null || isPart || piece.sizeBytes === 0
    const opened = isAll ? piece : await kept().open(place, { path, range: null })
    const { sizeBytes, hash, from, bytes } = opened
    await reply
      .code(isPart ? 206 : 200)
      .headers({
        'cache-control': 'private, no-store',
        ...(hash === null ? {} : { etag: `"${hash}"` }),
        ...(isPart ? { 'content-range': `bytes ${from}-${from + bytes.byteLength - 1}/${sizeBytes}` } : {}),
        'content-type': pictureType(bytes) ?? 'application/octet-stream',
        'content-length': bytes.byteLength,
        'content-disposition': `${pictureType(bytes) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(path.split('/').at(-1) ?? 'file')}`,
      })
      .send(Buffer.from(bytes))
    return TAKEN_OVER
  })

  // In a scope of its own: only here is a body taken as bytes.
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      ['application/octet-stream', 'text/plain'],
      { parseAs: 'buffer', bodyLimit: LARGEST_BYTES },
      (_request, payload, done) => done(null, payload),
    )
    bindRoute(
      { ...deps, app: scope },
      routes.saveFile,
      async ({ params, query: { path, conversationId }, body, userId, request, reply, answer }) => {
        const bytes = body ?? Buffer.alloc(0)
        if (!Buffer.isBuffer(bytes))
          throw new RefusedError(
            415,
            'unsupported-media-type',
            'A file is sent as the body, as application/octet-stream',
          )
        const expected = expectedOf(request)
        const place = await placeOf({ ...params, userId, conversationId })
        const { isNew, ...saved } = await kept().save(place, { path, bytes, expected }, untilGone(reply))
        return isNew ? answer(201, saved) : answer(200, saved)
      },
    )
  })

  bindRoute(deps, routes.searchWorkspace, async ({ params, query: { q, conversationId }, userId, reply, answer }) => {
    const place = await placeOf({ ...params, userId, conversationId })
    return answer(200, await kept().search(place, q, untilGone(reply)))
  })

  bindRoute(deps, routes.watchFiles, async ({ params, body, userId, reply, answer }) => {
    const { seen, waitMs: limitMs, conversationId } = body
    const place = await placeOf({ ...params, userId, conversationId })
    return answer(200, await kept().wait(place, { seen, limitMs }, untilGone(reply)))
  })
}

/** Fires when whoever asks has gone. */
function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}

/** The hash that is to stand there; null for no file. @throws {RefusedError} where it is not said. */
function expectedOf({ headers }: FastifyRequest): string | null {
  if (headers['if-none-match'] === '*') return null
  const [, hash] = /^(?:W\/)?"([0-9a-f]{64})"$/.exec(headers['if-match'] ?? '') ?? []
  if (hash !== undefined) return hash
  throw new RefusedError(
    400,
    'bad-request',
    'Say what is to be replaced: If-Match with the ETag that was read, or If-None-Match: * for a new file',
  )
}

const PICTURES: readonly (readonly [begins: RegExp, type: string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[\s\S]{4}WEBP/, 'image/webp'],
  [/^[\s\S]{4}ftypavif/, 'image/avif'],
  [/^BM[\s\S]{4}\0{4}/, 'image/bmp'],
]

/** What a browser may show by itself, by how it begins. A drawing (SVG) is text, and may hold scripts. */
function pictureType(bytes: Uint8Array): string | null {
  const begins = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return PICTURES.find(([form]) => form.test(begins))?.[1] ?? null
}
