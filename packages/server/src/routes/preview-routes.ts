import type { ServerResponse } from 'node:http'
import { type PreviewRow, type PreviewSource, routes } from '@holdfast/protocol'
import * as z from 'zod'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import { isSame } from '../door/credentials.ts'
import { keyedHash, type StartUpToken } from '../door/start-up-token.ts'
import { ALL_SCOPES, type Principal } from '../parts/principal.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { PreviewWatch, WatchedSources } from '../previews/preview-watch.ts'

/** What a preview is to be of. */
export interface PreviewWish {
  readonly workspaceId: string | undefined
  readonly conversationId: string | undefined
  readonly source: PreviewSource
}

/** What a picture is to show. */
export interface WantedPicture {
  readonly previewId: string
  readonly userId: string
  readonly path: string
  readonly width: number
  /** Null for what is seen of the page. */
  readonly selector: string | null
}

/** A picture that was taken. */
export interface TakenPicture {
  readonly bytes: Uint8Array
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
  readonly failedCount: number
}

/** The previews of this machine. Everything throws {RefusedError} where it cannot be done. [PREV1, PREV2] */
export interface PreviewDirectory {
  /** Where they are shown, as a source in the policy of pages that show them. */
  readonly source: string
  /** Those that somebody may use; of one conversation's place where one is named. */
  list(userId: string, conversationId: string | undefined): Promise<readonly PreviewRow[]>
  /** Null for what is not there and for what is not theirs. */
  find(userId: string, previewId: string): PreviewRow | null
  make(userId: string, wish: PreviewWish): Promise<{ readonly row: PreviewRow; readonly isNew: boolean }>
  start(previewId: string): Promise<PreviewRow>
  stop(previewId: string): Promise<PreviewRow>
  restart(previewId: string): Promise<PreviewRow>
  remove(previewId: string): Promise<void>
  /** An address that opens it once, for somebody whom `letIn` is asked about again with each request. */
  ticket(asked: { readonly previewId: string; readonly visitor: string; readonly path: string }): string
  claim(previewId: string, secret: string): { readonly path: string } | null
  /** A picture of a page of it, for somebody who may use it. [PREV13] */
  photograph(asked: WantedPicture, signal: AbortSignal): Promise<TakenPicture>
  /** Where what it shows comes from; null where it has no place. */
  sourcesOf(previewId: string): WatchedSources | null
  /** Says who a visitor is; null for one who may not be here any more. Asked with every request to a preview. */
  letIn(judge: (visitor: string) => string | null): void
}

/** What the routes about previews need. */
export interface PreviewRoutesDeps extends BindDeps {
  /** Null where there are none. */
  readonly previews: PreviewDirectory | null
  readonly startupToken: Pick<StartUpToken, 'current'>
  readonly watch: PreviewWatch
}

/** Who was let into a preview, in a cookie that outlives this run of the server. */
const Visitor = z.object({
  userId: z.string(),
  credential: z.discriminatedUnion('type', [
    /** `mark`: of the start-up token that counted then. [SEC22] */
    z.object({ type: z.literal('operator'), mark: z.string() }),
    z.object({ type: z.literal('session'), sessionId: z.string() }),
    z.object({ type: z.literal('api-key'), keyId: z.string() }),
  ]),
})
type Visitor = z.infer<typeof Visitor>

/** Serves the previews. [PREV1, PREV2] */
export function bindPreviews({ previews, startupToken, watch, ...deps }: PreviewRoutesDeps): void {
  const markOf = (userId: string): string => keyedHash(startupToken.current(), ['holdfast preview visitor 1', userId])

  function visitorOf({ userId, credential }: Principal): Visitor {
    switch (credential.type) {
      case 'start-up-token':
      case 'cookie':
        return { userId, credential: { type: 'operator', mark: markOf(userId) } }
      case 'session':
      case 'api-key':
        return { userId, credential }
    }
  }

  previews?.letIn((visitor) => {
    const { userId, credential } = Visitor.parse(JSON.parse(visitor))
    if (credential.type === 'operator') return isSame(credential.mark, markOf(userId)) ? userId : null
    return deps.gate.isStillGood({ userId, role: 'user', scopes: ALL_SCOPES, credential }) ? userId : null
  })

  function kept(): PreviewDirectory {
    if (previews) return previews
    throw new RefusedError(404, 'unknown-preview', 'This server has no previews')
  }

  /** @throws {RefusedError} where it is not there, or not theirs. */
  function own(previewId: string, principal: Principal): PreviewRow {
    const found = kept().find(principal.userId, previewId)
    if (found) return found
    throw new RefusedError(404, 'unknown-preview', `There is no preview ${previewId}, or it is not open to you`)
  }

  bindRoute(deps, routes.listPreviews, async ({ query: { conversationId }, userId, answer }) => {
    if (conversationId !== undefined) await deps.checkOwner(userId, conversationId)
    return answer(200, { previews: previews ? [...(await previews.list(userId, conversationId))] : [] })
  })

  bindRoute(deps, routes.makePreview, async ({ body, principal, userId, answer }) => {
    const { workspaceId, conversationId } = body
    if (conversationId !== undefined) await deps.checkOwner(userId, conversationId)
    const source = sourceOf(body)
    if (source.type === 'port' && principal.role !== 'admin')
      throw new RefusedError(403, 'forbidden', 'Only an admin names a port of this machine')
    const { row, isNew } = await kept().make(userId, { workspaceId, conversationId, source })
    return answer(isNew ? 201 : 200, row)
  })

  bindRoute(deps, routes.readPreview, async ({ params: { previewId }, principal, answer }) =>
    answer(200, own(previewId, principal)),
  )

  bindRoute(deps, routes.startPreview, async ({ params: { previewId }, principal, answer }) =>
    answer(200, await kept().start(own(previewId, principal).id)),
  )

  bindRoute(deps, routes.stopPreview, async ({ params: { previewId }, principal, answer }) =>
    answer(200, await kept().stop(own(previewId, principal).id)),
  )

  bindRoute(deps, routes.restartPreview, async ({ params: { previewId }, principal, answer }) =>
    answer(200, await kept().restart(own(previewId, principal).id)),
  )

  bindRoute(deps, routes.removePreview, async ({ params: { previewId }, principal, answer }) => {
    const { id } = own(previewId, principal)
    await kept().remove(id)
    return answer(200, { previewId: id })
  })

  bindRoute(deps, routes.makePreviewTicket, async ({ params: { previewId }, body: { path }, principal, answer }) => {
    const { id } = own(previewId, principal)
    const visitor = JSON.stringify(visitorOf(principal))
    return answer(200, { url: kept().ticket({ previewId: id, visitor, path: path ?? '/' }) })
  })

  bindRoute(
    deps,
    routes.claimPreviewDocument,
    async ({ params: { previewId }, body: { secret }, principal, answer }) => {
      const claimed = kept().claim(own(previewId, principal).id, secret)
      if (claimed === null)
        throw new RefusedError(
          404,
          'unknown-preview',
          'No document of this preview was given that, or it was claimed before',
        )
      return answer(200, claimed)
    },
  )

  bindRoute(deps, routes.photographPreview, async ({ params, body, principal, userId, reply, answer }) => {
    const { path, width, selector } = body
    const { id: previewId } = own(params.previewId, principal)
    const asked = { previewId, userId, path: path ?? '/', width, selector: selector ?? null }
    const { bytes, ...picture } = await kept().photograph(asked, untilClosed(reply.raw))
    return answer(200, { ...picture, content: Buffer.from(bytes).toString('base64') })
  })

  bindRoute(deps, routes.readPreviewErrors, async ({ params: { previewId }, principal, userId, answer }) =>
    answer(200, { errors: [...watch.errorsOf(userId, own(previewId, principal).id)] }),
  )

  bindRoute(deps, routes.tellPreviewErrors, async ({ params: { previewId }, body, principal, userId, answer }) => {
    const { conversationId, errors, loaded } = body
    if (conversationId !== undefined) await deps.checkOwner(userId, conversationId)
    const row = own(previewId, principal)
    const place = { row, sources: kept().sourcesOf(row.id) }
    const told = { userId, conversationId: conversationId ?? null, errors, loaded }
    return answer(200, { errors: [...(await watch.tell(place, told))] })
  })

  bindRoute(deps, routes.findPreviewSource, async ({ params: { previewId }, body, principal, answer }) => {
    const row = own(previewId, principal)
    return answer(200, { source: await watch.sourceOf({ row, sources: kept().sourcesOf(row.id) }, body) })
  })
}

function sourceOf({
  command,
  port,
  folder,
}: {
  readonly command?: string
  readonly port?: number
  readonly folder?: string
}): PreviewSource {
  if ([command, port, folder].filter((one) => one !== undefined).length > 1)
    throw new RefusedError(400, 'bad-request', 'A preview is of a command, a port or a folder: name one of them')
  if (port !== undefined) return { type: 'port', port }
  if (folder !== undefined) return { type: 'folder', folder }
  return { type: 'command', line: command ?? null }
}

/** Whoever asked has left, or has the answer. */
function untilClosed(answer: ServerResponse): AbortSignal {
  const ending = new AbortController()
  answer.on('close', () => ending.abort())
  return ending.signal
}
